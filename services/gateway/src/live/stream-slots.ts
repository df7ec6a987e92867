import { DomainError, unavailable } from '@marketplace/kit/errors/problem.ts'

export interface StreamLimits {
  perProcess: number
  perNetwork: number
}

/** Capacity for live streams. `acquire` throws when a limit is reached. */
export interface StreamSlots {
  acquire(network: string): void
  release(network: string): void
}

/** Limits the streams of this process, and of each network. */
export function createStreamSlots({ perProcess, perNetwork }: StreamLimits): StreamSlots {
  const counts = new Map<string, number>()
  let total = 0
  const add = (network: string, change: 1 | -1) => {
    const count = (counts.get(network) ?? 0) + change
    total += change
    if (count === 0) counts.delete(network)
    else counts.set(network, count)
  }
  return {
    acquire(network) {
      if (total >= perProcess) throw unavailable('The live view')
      if ((counts.get(network) ?? 0) >= perNetwork)
        throw new DomainError('limited', 'too_many_streams', 'Too many live streams are open from this address.')
      add(network, 1)
    },
    release: (network) => add(network, -1),
  }
}
