import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { expect } from '../src/stack.ts'
import type { ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause } from './random.ts'

async function stopKafka({ servers }: ChaosStack): Promise<void> {
  await servers.kafka.stop()
  await pause(longOrShort(300_000, 20_000))
  await servers.restartKafka()
}

async function whileSlow({ servers }: ChaosStack, server: 'postgres' | 'redis' | 'kafka', delayMs: number) {
  servers.wires[server].slow(delayMs)
  await pause(longOrShort(30_000, 10_000))
  servers.wires[server].mend()
}

async function whileCut({ servers }: ChaosStack, server: 'redis' | 'kafka'): Promise<void> {
  servers.wires[server].cut()
  await pause(longOrShort(30_000, 10_000))
  servers.wires[server].mend()
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
  if (pid === undefined) throw new Error('This Postgres is not ours to stop.')
  process.kill(pid, how)
  await expect.poll(() => postgres.pid(), { timeout: 60_000 }).not.toBe(pid)
}

/** Takes every connection that the server has left, and drops those of the services, which then get no new ones. */
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

// What waits for the database for too long is answered 503.
const anything = /./
// The card network breaks off some of the load's own calls.
const payments = /payments|buy-now/

export const serverFaults: readonly Fault[] = [
  {
    title: `Kafka is stopped for ${longOrShort(300_000, 20_000) / 1000} s`,
    strike: stopKafka,
    mayFail: payments,
    isShort: true,
  },
  { title: 'Kafka answers late by 400 ms', strike: (stack) => whileSlow(stack, 'kafka', 400), mayFail: payments },
  { title: 'Kafka is cut off without a reset', strike: (stack) => whileCut(stack, 'kafka'), mayFail: payments },
  { title: 'Redis is stopped', strike: stopRedis, mayFail: payments },
  { title: 'Redis is frozen', strike: freezeRedis, mayFail: payments },
  { title: 'Redis answers late by 300 ms', strike: (stack) => whileSlow(stack, 'redis', 300), mayFail: payments },
  { title: 'Redis is cut off without a reset', strike: (stack) => whileCut(stack, 'redis'), mayFail: payments },
  { title: 'Redis is flushed five times', strike: flushRedis, mayFail: payments, isShort: true },
  {
    title: 'Postgres is restarted',
    strike: (stack) => restartPostgres(stack, 'SIGINT'),
    mayFail: anything,
    times: 3,
  },
  {
    title: 'Postgres is killed',
    strike: (stack) => restartPostgres(stack, 'SIGKILL'),
    mayFail: anything,
    times: 3,
    isShort: true,
  },
  { title: 'Postgres answers late by 50 ms', strike: (stack) => whileSlow(stack, 'postgres', 50), mayFail: anything },
  { title: 'Postgres is out of connections', strike: takeAllConnections, mayFail: anything },
]
