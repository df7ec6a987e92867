import { RateLimitExceeded } from './request-limits.ts'

interface Slots {
  used: number
  /** One function per waiting read, oldest first. Calling the function starts the read. */
  waiting: Set<() => void>
}

/**
 * Limits the number of concurrent reads per client. Each read holds one slot. `acquire` waits until a slot is free and
 * returns the function that releases the slot.
 */
export interface ReadSlots {
  acquire(client: string, limit: number, isAborted: AbortSignal): Promise<() => void>
}

/** Maximum number of reads per client that can wait for a slot. Further reads are rejected. */
export const maxWaiting = 200

/**
 * Creates the `ReadSlots` of this process, which limit how many reads of one client run at the same time. Only that
 * client's further reads wait, so a busy client does not delay other clients.
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
