import { DomainError, unavailable } from '@marketplace/kit/errors/problem.ts'

export interface StreamLimits {
  perProcess: number
  perNetwork: number
  perUser: number
}

/** Client that opens a stream. `userId` is null if the client is signed out. */
export interface StreamClient {
  network: string
  userId: string | null
}

/**
 * Counts the open live streams. `acquire` throws `unavailable` (503) if this process has too many, and
 * `too_many_streams` (429) if the client's network or user has too many.
 */
export interface StreamSlots {
  acquire(client: StreamClient): void
  release(client: StreamClient): void
}

/** Limits the number of open streams: in total for this process, per client network, and per signed-in user. */
export function createStreamSlots({ perProcess, perNetwork, perUser }: StreamLimits): StreamSlots {
  const networks = createCounts()
  const users = createCounts()
  let total = 0
  const add = ({ network, userId }: StreamClient, change: 1 | -1) => {
    total += change
    networks.add(network, change)
    if (userId !== null) users.add(userId, change)
  }
  return {
    acquire(client) {
      const { network, userId } = client
      if (total >= perProcess) throw unavailable('The live view')
      if (networks.of(network) >= perNetwork)
        throw tooManyStreams(`At most ${perNetwork} live streams may be open from one address.`)
      if (userId !== null && users.of(userId) >= perUser)
        throw tooManyStreams(`At most ${perUser} live streams may be open for one account.`)
      add(client, 1)
    },
    release: (client) => add(client, -1),
  }
}

function tooManyStreams(message: string): DomainError {
  return new DomainError('limited', 'too_many_streams', message)
}

function createCounts() {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    add(key: string, change: 1 | -1) {
      const count = of(key) + change
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
