import { openRedis, type RedisCache } from '@marketplace/kit/cache/redis.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { startRedis } from '@marketplace/stack/servers/redis.ts'
import { eventually } from './eventually.ts'

export interface TestRedis {
  url: string
  /** Opens a cache and waits until it is connected. `timeoutMs` replaces the timeout of a command, 40 ms. */
  open(timeoutMs?: number): Promise<RedisCache>
  flush(): Promise<void>
  /** Suspends the server: it accepts connections but sends no responses, like a hung machine. */
  freeze(): void
  thaw(): void
  /** Kills the server. `start` then starts an empty server. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops the server and closes all connections. */
  close(): Promise<void>
}

/** Timeout of a command for tests in which Redis has to respond, also on a busy machine. */
export const patientMs = 30_000

/** Starts a Redis server for one test, with methods that simulate failures. */
export async function testRedis(): Promise<TestRedis> {
  let server = await startRedis()
  const { url } = server
  const connections: RedisCache[] = []
  const isReady = (redis: RedisCache) => eventually(() => redis.run('return 1', [], []))
  async function open(timeoutMs?: number): Promise<RedisCache> {
    const redis = openRedis(url, openLog('test', 'silent'), timeoutMs)
    connections.push(redis)
    await isReady(redis)
    return redis
  }
  const own = await open(patientMs)
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
