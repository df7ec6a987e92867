import { openRedis } from '@marketplace/kit/cache/redis.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { createInProcessLimiter, type Clock } from './in-process-limiter.ts'
import type { Limiter } from './limiter.ts'
import { createRedisLimiter } from './redis-limiter.ts'

/**
 * Returns a limiter that all gateways share through Redis. Without a Redis URL, returns a limiter for this process
 * only.
 */
export function openLimiter(
  redisUrl: string | undefined,
  log: Log,
  clock?: Clock,
): { limiter: Limiter; close(): void } {
  const inProcess = createInProcessLimiter(clock)
  if (redisUrl === undefined) return { limiter: inProcess, close: () => undefined }
  const redis = openRedis(redisUrl, log)
  return { limiter: createRedisLimiter(redis, inProcess), close: redis.close }
}
