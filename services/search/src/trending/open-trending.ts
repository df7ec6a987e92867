import { openRedis } from '@marketplace/kit/redis.ts'
import type { Log } from '@marketplace/kit/log.ts'
import type { Db } from '../db.ts'
import { postgresTrending } from './postgres-trending.ts'
import { redisTrending } from './redis-trending.ts'
import type { TrendingStore } from './trending-store.ts'

interface Trending {
  store: TrendingStore
  close(): void
}

/** Counted in Redis when there is one, else in Postgres. */
export function openTrending(redisUrl: string | undefined, db: Db, log: Log): Trending {
  const history = postgresTrending(db)
  if (redisUrl === undefined) return { store: history, close: () => undefined }
  const redis = openRedis(redisUrl, log)
  return { store: redisTrending({ db, redis, log, history }), close: redis.close }
}
