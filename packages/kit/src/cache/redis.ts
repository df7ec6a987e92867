import { Redis } from 'ioredis'
import type { Log } from '../telemetry/log.ts'
import { counter } from '../telemetry/metrics.ts'

// Timeout of a Redis command, in ms. It is short, because every caller has a fallback.
const commandTimeoutMs = 40
// The circuit opens after this many consecutive failures.
const maxFailures = 3
const openMs = 3000

/** A cache without durability. Entries can disappear at any time, so correctness must not depend on them. */
export interface RedisCache {
  /**
   * Runs a Lua script in one round trip. Returns undefined if the call fails or takes longer than 40 ms, and
   * immediately during the 3 s after three consecutive failures.
   */
  run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  close(): void
}

const failures = counter('redis_failures_total', 'Redis calls that failed or timed out.')

/** Opens a Redis client that connects and reconnects in the background. */
export function openRedis(url: string, log: Log, timeoutMs = commandTimeoutMs): RedisCache {
  const redis = connect(url, timeoutMs)
  const breaker = createBreaker(log)
  redis.on('error', (error) => log.debug({ err: error }, 'redis'))
  return {
    async run(script, keys, args) {
      if (!breaker.allows()) return undefined
      try {
        const result = await redis.eval(script, keys.length, ...keys, ...args)
        breaker.succeeded()
        return result
      } catch (error) {
        failures.inc()
        breaker.failed(error)
        return undefined
      }
    },
    close: () => redis.disconnect(),
  }
}

function connect(url: string, commandTimeout: number): Redis {
  return new Redis(url, {
    commandTimeout,
    connectTimeout: 1000,
    // Commands fail immediately while disconnected and are never retried: a retry could increment a counter twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => Math.min(tries * 100, 1000),
    // Reconnects if a connection that looks open sends no response for 2 s.
    socketTimeout: 2000,
    keepAlive: 5000,
  })
}

/** Circuit breaker: rejects calls for 3 s after three consecutive failures, then allows one trial call per 3 s. */
function createBreaker(log: Log) {
  let consecutiveFailures = 0
  let openUntil = 0
  return {
    allows(): boolean {
      if (consecutiveFailures < maxFailures) return true
      const now = performance.now()
      if (now < openUntil) return false
      openUntil = now + openMs
      return true
    },
    succeeded(): void {
      if (consecutiveFailures >= maxFailures) log.info('redis recovered')
      consecutiveFailures = 0
    },
    failed(error: unknown): void {
      consecutiveFailures += 1
      if (consecutiveFailures < maxFailures) return
      openUntil = performance.now() + openMs
      if (consecutiveFailures === maxFailures) log.warn({ err: error }, 'redis unavailable; circuit open')
    },
  }
}
