import { limited, unavailable } from '@marketplace/kit/errors/problem.ts'

export interface StreamLimits {
  perProcess: number
  perNetwork: number
  perPerson: number
}

/** Whose stream it is. `userId` is null without a session. */
export interface StreamOwner {
  network: string
  userId: string | null
}

/** Capacity for live streams. `acquire` throws when a limit is reached. */
export interface StreamSlots {
  acquire(owner: StreamOwner): void
  release(owner: StreamOwner): void
}

// A stream ends when its page is closed, which cannot be predicted.
const retryAfterSeconds = 30

function tooManyStreams(whose: string): Error {
  return limited('too_many_streams', `Too many live streams are open ${whose}.`, retryAfterSeconds)
}

/** Limits the streams of this process, of each network and of each person. */
export function createStreamSlots({ perProcess, perNetwork, perPerson }: StreamLimits): StreamSlots {
  const networks = new Map<string, number>()
  const people = new Map<string, number>()
  let total = 0
  const add = ({ network, userId }: StreamOwner, change: 1 | -1) => {
    total += change
    addTo(networks, network, change)
    if (userId !== null) addTo(people, userId, change)
  }
  return {
    acquire(owner) {
      if (total >= perProcess) throw unavailable('The live view')
      if ((networks.get(owner.network) ?? 0) >= perNetwork) throw tooManyStreams('from this address')
      if (owner.userId !== null && (people.get(owner.userId) ?? 0) >= perPerson)
        throw tooManyStreams('for this account')
      add(owner, 1)
    },
    release: (owner) => add(owner, -1),
  }
}

function addTo(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
