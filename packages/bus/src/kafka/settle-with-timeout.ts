import { setTimeout as sleep } from 'node:timers/promises'

const timeoutMs = 5000

/** Returns the value of a promise, or undefined if it rejects or takes longer than 5 s. */
export async function settleWithTimeout<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  const done = new AbortController()
  const timeout = sleep(timeoutMs, undefined, { signal: done.signal }).catch(() => undefined)
  const value = await Promise.race([promise.catch(() => undefined), timeout])
  done.abort()
  return value
}
