import { join, resolve } from 'node:path'
import { startKafka } from './kafka.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { step } from './step.ts'

export type ServersOptions = {
  /** Where Postgres and Kafka keep what they have; Redis keeps nothing. */
  readonly dataDir: string
  readonly report?: (line: string) => void
}

export type Servers = {
  /** The admin's. */
  readonly databaseUrl: string
  readonly kafkaBrokers: string
  readonly redisUrl: string
  stop(): Promise<void>
}

/** Starts Postgres, Kafka and Redis on free loopback ports, durable as they would be elsewhere; all or none. */
export async function startServers({ dataDir, report }: ServersOptions): Promise<Servers> {
  const folder = resolve(dataDir)
  const stops: (() => Promise<void>)[] = []
  const stop = async () => void (await Promise.all(stops.splice(0).map((stopOne) => stopOne())))
  const start = async <Server extends { stop(): Promise<void> }>(title: string, open: () => Promise<Server>) => {
    const server = await step(report, title, open)
    stops.push(() => server.stop())
    return server
  }
  try {
    const redis = await start('Redis', () => startRedis())
    const postgres = await start('Postgres', () => startPostgres({ dataDir: join(folder, 'postgres'), durable: true }))
    const kafka = await start('Kafka', () => startKafka({ dataDir: join(folder, 'kafka') }))
    return { databaseUrl: postgres.adminUrl, kafkaBrokers: kafka.brokers, redisUrl: redis.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
