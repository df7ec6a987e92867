import { openRedis } from '@marketplace/kit/cache/redis.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { Db } from '../db.ts'
import { postgresTrending } from './postgres-trending.ts'
import { redisTrending } from './redis-trending.ts'
import type { TrendingStore } from './trending-store.ts'

interface Trending {
  store: TrendingStore
  close(): void
}

/** Opens the trending store in Redis if a URL is configured, otherwise in Postgres. */
export function openTrending(redisUrl: string | undefined, db: Db, log: Log): Trending {
  const inPostgres = postgresTrending(db)
  if (redisUrl === undefined) return { store: inPostgres, close: () => undefined }
  const redis = openRedis(redisUrl, log)
  return { store: redisTrending({ db, redis, log, fallback: inPostgres }), close: redis.close }
}
