import { RateLimitExceeded } from './request-limits.ts'

interface Slots {
  used: number
  /** Start functions of requests that wait, oldest first. */
  waiting: Set<() => void>
}

/** Reads in progress per client. `acquire` waits for a slot and returns the function that frees it. */
export interface ReadSlots {
  acquire(client: string, limit: number, isAborted: AbortSignal): Promise<() => void>
}

/** Requests of one client that wait for a slot. The next one is rejected. */
export const maxWaiting = 200

/**
 * Creates the slots of this process. A client that sends many reads at once waits for its own reads, while those of
 * others proceed.
 */
export function createReadSlots(): ReadSlots {
  const clients = new Map<string, Slots>()

  const release = (client: string, slots: Slots) => {
    const [next] = slots.waiting
    if (next) {
      slots.waiting.delete(next)
      return next()
    }
    slots.used -= 1
    if (slots.used === 0) clients.delete(client)
    return undefined
  }

  return {
    async acquire(client, limit, isAborted) {
      const slots = clients.get(client) ?? { used: 0, waiting: new Set() }
      clients.set(client, slots)
      if (slots.used < limit) slots.used += 1
      else if (slots.waiting.size >= maxWaiting) throw new RateLimitExceeded(1000)
      else await turnOf(slots, isAborted)
      let isHeld = true
      return () => {
        if (isHeld) release(client, slots)
        isHeld = false
      }
    },
  }
}

// Rejects when the client disconnects before its turn.
function turnOf(slots: Slots, isAborted: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      isAborted.removeEventListener('abort', stop)
      resolve()
    }
    const stop = () => {
      slots.waiting.delete(start)
      reject(new RateLimitExceeded(1000))
    }
    slots.waiting.add(start)
    isAborted.addEventListener('abort', stop)
  })
}
