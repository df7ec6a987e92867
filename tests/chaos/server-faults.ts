import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { expect } from '../support/processes/stack.ts'
import type { ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause } from './random.ts'

async function stopKafka({ servers }: ChaosStack): Promise<void> {
  await servers.kafka.stop()
  await pause(longOrShort(300_000, 20_000))
  await servers.restartKafka()
}

async function withDelay({ servers }: ChaosStack, server: 'postgres' | 'redis' | 'kafka', delayMs: number) {
  servers.proxies[server].delay(delayMs)
  await pause(longOrShort(30_000, 10_000))
  servers.proxies[server].restore()
}

async function withCut({ servers }: ChaosStack, server: 'redis' | 'kafka'): Promise<void> {
  servers.proxies[server].cut()
  await pause(longOrShort(30_000, 10_000))
  servers.proxies[server].restore()
}

async function flushRedis({ servers }: ChaosStack): Promise<void> {
  const socket = connect(Number(new URL(servers.redis.url).port), '127.0.0.1')
  for (let times = 0; times < 5; times += 1) {
    socket.write('FLUSHALL\r\n')
    await once(socket, 'data')
    await pause(500, 1500)
  }
  socket.destroy()
}

async function stopRedis({ servers }: ChaosStack): Promise<void> {
  await servers.redis.stop()
  await pause(longOrShort(30_000, 10_000))
  await servers.restartRedis()
}

async function freezeRedis({ servers }: ChaosStack): Promise<void> {
  process.kill(servers.redis.pid, 'SIGSTOP')
  await pause(longOrShort(30_000, 10_000))
  process.kill(servers.redis.pid, 'SIGCONT')
}

async function restartPostgres({ servers: { postgres } }: ChaosStack, how: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const pid = postgres.pid()
  if (pid === undefined) throw new Error('The stack runs on an external Postgres, which this test must not stop.')
  process.kill(pid, how)
  await expect.poll(() => postgres.pid(), { timeout: 60_000 }).not.toBe(pid)
}

/** Occupies every free connection of the server and terminates those of the services, which then cannot reconnect. */
async function takeAllConnections({ servers: { postgres } }: ChaosStack): Promise<void> {
  const clients: pg.Client[] = []
  const take = async () => {
    const client = new pg.Client({ connectionString: postgres.adminUrl })
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }
  const admin = await take()
  const end = performance.now() + longOrShort(30_000, 10_000)
  while (performance.now() < end) {
    await Promise.allSettled(Array.from({ length: 10 }, take))
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename like '%\\_app'
      order by random() limit 10`)
    await pause(100, 300)
  }
  await Promise.allSettled(clients.map((client) => client.end()))
}

// Requests that wait too long for the database are rejected with 503.
const anything = /./
// The card network breaks off some of the load's own calls.
const payments = /payments|buy-now/

export const serverFaults: readonly Fault[] = [
  {
    title: `Kafka is stopped for ${longOrShort(300_000, 20_000) / 1000} s`,
    inject: stopKafka,
    mayFail: payments,
    isShort: true,
  },
  { title: 'Kafka is delayed by 400 ms', inject: (stack) => withDelay(stack, 'kafka', 400), mayFail: payments },
  { title: 'Kafka is cut off without a reset', inject: (stack) => withCut(stack, 'kafka'), mayFail: payments },
  { title: 'Redis is stopped', inject: stopRedis, mayFail: payments },
  { title: 'Redis is frozen', inject: freezeRedis, mayFail: payments },
  { title: 'Redis is delayed by 300 ms', inject: (stack) => withDelay(stack, 'redis', 300), mayFail: payments },
  { title: 'Redis is cut off without a reset', inject: (stack) => withCut(stack, 'redis'), mayFail: payments },
  { title: 'Redis is flushed five times', inject: flushRedis, mayFail: payments, isShort: true },
  {
    title: 'Postgres is restarted',
    inject: (stack) => restartPostgres(stack, 'SIGINT'),
    mayFail: anything,
    times: 3,
  },
  {
    title: 'Postgres is killed',
    inject: (stack) => restartPostgres(stack, 'SIGKILL'),
    mayFail: anything,
    times: 3,
    isShort: true,
  },
  { title: 'Postgres is delayed by 50 ms', inject: (stack) => withDelay(stack, 'postgres', 50), mayFail: anything },
  { title: 'Postgres is out of connections', inject: takeAllConnections, mayFail: anything },
]
