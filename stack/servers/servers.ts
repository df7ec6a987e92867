import { join, resolve } from 'node:path'
import { startKafka } from './kafka/kafka.ts'
import { startPostgres } from './postgres/postgres.ts'
import { startRedis } from './redis.ts'
import { explainFileError } from '../launcher/data-dir.ts'
import { step } from '../launcher/step.ts'

export interface ServersOptions {
  /** The folder for the data of Postgres and Kafka; Redis has no persistence. */
  readonly dataDir: string
  readonly report?: (line: string) => void
}

export interface Servers {
  /** The admin's URL. */
  readonly databaseUrl: string
  readonly kafkaBrokers: string
  readonly redisUrl: string
  stop(): Promise<void>
}

/**
 * Starts Postgres (durable), Kafka and Redis on free loopback ports. When one fails, the others are stopped. Throws
 * StartError when a server is missing or the folder is not usable.
 */
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
    throw explainFileError(error, folder)
  }
}
