import { DomainError, unavailable } from '@marketplace/kit/problem.ts'

export interface PlaceLimits {
  perProcess: number
  perNetwork: number
}

/** Places for streams that stay open. */
export interface Places {
  take(network: string): void
  leave(network: string): void
}

/** Bounds the streams of this process, and those of one network among them. */
export function places({ perProcess, perNetwork }: PlaceLimits): Places {
  const taken = new Map<string, number>()
  let total = 0
  const add = (network: string, change: 1 | -1) => {
    const count = (taken.get(network) ?? 0) + change
    total += change
    if (count === 0) taken.delete(network)
    else taken.set(network, count)
  }
  return {
    take(network) {
      if (total >= perProcess) throw unavailable('The live view')
      if ((taken.get(network) ?? 0) >= perNetwork)
        throw new DomainError('limited', 'too_many_streams', 'Too many auctions are being watched from this address.')
      add(network, 1)
    },
    leave: (network) => add(network, -1),
  }
}
