import { Redis } from 'ioredis'
import type { Log } from './log.ts'
import { counter } from './metrics.ts'

// Whoever asks has another way to go on, so a slow answer is as good as none.
const askMs = 40
// So many failures in a row, and Redis is left alone for a while.
const maxFailures = 3
const leaveAloneMs = 3000

/** What is kept here may be gone at any moment: nothing is decided by it that must be right. */
export interface RedisCache {
  /** Runs a script in one round trip; undefined without an answer in 40 ms, and at once for 3 s after three such. */
  run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  close(): void
}

const failures = counter('redis_failures_total', 'Calls to Redis without an answer in time.')

/** Opens a connection that is made, and made again, in the background. */
export function openRedis(url: string, log: Log): RedisCache {
  const redis = connect(url)
  const breaker = openBreaker(log)
  redis.on('error', (error) => log.debug({ err: error }, 'redis'))
  return {
    async run(script, keys, args) {
      if (!breaker.allows()) return undefined
      try {
        const answer = await redis.eval(script, keys.length, ...keys, ...args)
        breaker.succeeded()
        return answer
      } catch (error) {
        failures.inc()
        breaker.failed(error)
        return undefined
      }
    },
    close: () => redis.disconnect(),
  }
}

function connect(url: string): Redis {
  return new Redis(url, {
    commandTimeout: askMs,
    connectTimeout: 1000,
    // Fails at once while there is no connection, and tries no command twice: a count might be taken twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => Math.min(tries * 100, 1000),
    // Without an answer on a connection that looks open, another one is made.
    socketTimeout: 2000,
    keepAlive: 5000,
  })
}

/** Says no for a while after failures; then one may try, and the others wait for how that ends. */
function openBreaker(log: Log) {
  let failedInARow = 0
  let closedUntil = 0
  return {
    allows(): boolean {
      if (failedInARow < maxFailures) return true
      const now = performance.now()
      if (now < closedUntil) return false
      closedUntil = now + leaveAloneMs
      return true
    },
    succeeded(): void {
      if (failedInARow >= maxFailures) log.info('redis answers again')
      failedInARow = 0
    },
    failed(error: unknown): void {
      failedInARow += 1
      if (failedInARow < maxFailures) return
      closedUntil = performance.now() + leaveAloneMs
      if (failedInARow === maxFailures) log.warn({ err: error }, 'redis does not answer and is left alone for a while')
    },
  }
}
