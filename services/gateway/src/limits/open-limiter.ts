import { openRedis } from '@marketplace/kit/redis.ts'
import type { Log } from '@marketplace/kit/log.ts'
import { inProcessLimiter, type Clock } from './in-process-limiter.ts'
import type { Limiter } from './limiter.ts'
import { redisLimiter } from './redis-limiter.ts'

/** Shared with the other gateways when there is a Redis, else this process's own. */
export function openLimiter(
  redisUrl: string | undefined,
  log: Log,
  clock?: Clock,
): { limiter: Limiter; close(): void } {
  const alone = inProcessLimiter(clock)
  if (redisUrl === undefined) return { limiter: alone, close: () => undefined }
  const redis = openRedis(redisUrl, log)
  return { limiter: redisLimiter(redis, alone), close: redis.close }
}
