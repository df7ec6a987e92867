import { RateLimitExceeded } from './request-limits.ts'

interface Slots {
  used: number
  /** Functions that start the waiting reads, the oldest read first. */
  waiting: Set<() => void>
}

/**
 * Limits the concurrent reads of each client. A slot is the permission for one read. `acquire` waits for a slot and
 * returns the function that frees the slot.
 */
export interface ReadSlots {
  acquire(client: string, limit: number, isAborted: AbortSignal): Promise<() => void>
}

/** Maximum number of a client's reads that wait for a slot. Further reads are rejected. */
export const maxWaiting = 200

/**
 * Creates the limits on concurrent reads of this process. A client that sends many reads at once waits for its own
 * reads. The reads of other clients do not wait.
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

// Waits for a free slot. Rejects if the client disconnects before a slot is free.
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
