import type { RedisCache } from '@marketplace/kit/cache/redis.ts'
import type { Limiter } from './limiter.ts'

// Before a request, `charged` is 0: the script takes one token, or returns the wait if none is left. After an expensive
// response, `charged` is its additional cost: the script subtracts it even if fewer tokens are left. The script uses
// the Redis clock, because the gateways' clocks can differ. A bucket's key expires after the bucket would be full
// again.
const script = `
local burst, per_second, charged = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[1], 'left', 'filled_at')
local left = tonumber(bucket[1]) or burst
local gained = math.max(0, now - (tonumber(bucket[2]) or now)) * per_second / 1000
left = math.min(burst, left + gained)
local wait = 0
if charged > 0 then left = math.max(-burst, left - charged)
elseif left >= 1 then left = left - 1
else wait = math.ceil((1 - left) * 1000 / per_second) end
redis.call('HSET', KEYS[1], 'left', string.format('%.6f', left), 'filled_at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - left) * 1000 / per_second) + 1000)
return wait`

/**
 * Creates a rate limiter whose token buckets are shared by all gateways. While Redis is unavailable, `fallback` is
 * used, so that requests do not fail because of the limiter.
 */
export function createRedisLimiter(redis: RedisCache, fallback: Limiter): Limiter {
  return {
    async take(key, limit) {
      const waitMs = await redis.run(script, [`limit:${key}`], [limit.burst, limit.perSecond, 0])
      return typeof waitMs === 'number' ? waitMs : fallback.take(key, limit)
    },
    async charge(key, limit, tokens) {
      const result = await redis.run(script, [`limit:${key}`], [limit.burst, limit.perSecond, tokens])
      if (typeof result !== 'number') await fallback.charge(key, limit, tokens)
    },
  }
}
