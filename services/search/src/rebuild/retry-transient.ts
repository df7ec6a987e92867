import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from '@marketplace/kit/errors/transient-error.ts'

const minDelayMs = 50
const maxDelayMs = 5000

/**
 * Retries the work after transient errors, such as an unavailable service or a deadlock, with exponential backoff for
 * up to `timeoutMs`.
 */
export async function retryTransient<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + timeoutMs
  for (let delayMs = minDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || performance.now() + delayMs > end) throw error
    }
    await sleep(delayMs)
  }
}
