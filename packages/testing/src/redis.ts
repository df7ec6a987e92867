import { openRedis, type RedisCache } from '@marketplace/kit/redis.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { startRedis } from '@marketplace/dev/redis.ts'
import { eventually } from './eventually.ts'

export interface TestRedis {
  url: string
  /** A connection that has been made. */
  open(): Promise<RedisCache>
  flush(): Promise<void>
  /** It takes connections and answers nobody, as when its machine hangs. */
  freeze(): void
  thaw(): void
  /** It is gone, until `start`, and comes back empty. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and every connection. */
  close(): Promise<void>
}

/** A Redis of the test's own, to be treated badly. */
export async function testRedis(): Promise<TestRedis> {
  let server = await startRedis()
  const { url } = server
  const connections: RedisCache[] = []
  const answers = (redis: RedisCache) => eventually(() => redis.run('return 1', [], []))
  async function open(): Promise<RedisCache> {
    const redis = openRedis(url, openLog('test', 'silent'))
    connections.push(redis)
    await answers(redis)
    return redis
  }
  const own = await open()
  return {
    url,
    open,
    flush: async () => void (await own.run(`return redis.call('FLUSHALL')`, [], [])),
    freeze: () => process.kill(server.pid, 'SIGSTOP'),
    thaw: () => process.kill(server.pid, 'SIGCONT'),
    kill: () => server.stop(),
    async start() {
      server = await startRedis(Number(new URL(url).port))
    },
    async close() {
      for (const connection of connections) connection.close()
      await server.stop()
    },
  }
}
