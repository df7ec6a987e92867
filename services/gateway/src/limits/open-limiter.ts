import { openRedis } from '@marketplace/kit/redis.ts'
import type { Log } from '@marketplace/kit/log.ts'
import { inProcessLimiter } from './in-process-limiter.ts'
import type { Limiter } from './limiter.ts'
import { redisLimiter } from './redis-limiter.ts'

/** Shared with the other gateways when there is a Redis, else this process's own. */
export function openLimiter(redisUrl: string | undefined, log: Log): { limiter: Limiter; close(): void } {
  const alone = inProcessLimiter()
  if (redisUrl === undefined) return { limiter: alone, close: () => undefined }
  const redis = openRedis(redisUrl, log)
  return { limiter: redisLimiter(redis, alone), close: redis.close }
}
