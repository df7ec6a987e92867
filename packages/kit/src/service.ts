import type { ConnectRouter } from '@connectrpc/connect'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { remoteTokenVerifier, type VerifyToken } from './auth.ts'
import { openBus, type Bus, type Subscription } from './bus.ts'
import type { ServiceSettings } from './config.ts'
import { startConsumer, type ConsumerDefinition } from './consumer.ts'
import { openDatabase, type Db } from './db.ts'
import { buildPublicApp, closeGently, type PublicApp } from './http.ts'
import { forgetOldKeys } from './idempotency-answers.ts'
import { buildInternalApp } from './internal.ts'
import { openLog, type Log } from './log.ts'
import { readAtScrape, type Reading } from './metrics.ts'
import { replayAll, type Replay } from './parked.ts'
import type { Runnable } from './process.ts'
import { startRelay } from './relay.ts'
import { serveRpc } from './rpc.ts'
import { eventReadings } from './service-metrics.ts'
import { startTracing } from './tracing.ts'
import { startSweeper, type Sweep } from './sweeper.ts'

/** What the parts of a service share. */
export interface Resources<Tables> {
  name: string
  settings: ServiceSettings
  log: Log
  db: Db<Tables>
  verifyToken: VerifyToken
}

export interface ServiceParts<Tables> {
  routes: (app: PublicApp) => void
  rpc?: (router: ConnectRouter) => void
  internalRoutes?: (app: FastifyInstance) => void
  consumers?: readonly ConsumerDefinition<Tables>[]
  sweeps?: readonly Sweep[]
  /** Gauges of its own that need a look at the database. */
  readings?: readonly Reading[]
}

export interface Service extends Runnable {
  publicApp: PublicApp
  internalApp: FastifyInstance
  /** Applies parked events again: all, one consumer's, or the row with this id. */
  replayParked(consumer?: string, id?: number): Promise<Map<string, Replay>>
}

interface Stoppable {
  stop(): Promise<void>
}

/** With settings of Postgres for the service's own connections. */
export function openResources<Tables>(
  name: string,
  settings: ServiceSettings,
  postgres: Record<string, string> = {},
): Resources<Tables> {
  const log = openLog(name, settings.LOG_LEVEL)
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const isTraced = settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined
  const pool = { connections: settings.DATABASE_CONNECTIONS, settings: postgres }
  const db = openDatabase<Tables>(settings.DATABASE_URL, onError, { isTraced, ...pool })
  return { name, settings, log, db, verifyToken: remoteTokenVerifier(settings.USERS_INTERNAL_URL) }
}

/** A whole service: two ports, relay, consumers and sweeps. Without `start` its apps answer `inject`, for tests. */
export function createService<Tables>(resources: Resources<Tables>, parts: ServiceParts<Tables>): Service {
  const { name, settings, log, db, verifyToken } = resources
  const publicApp = buildPublicApp({ name, log, verifyToken })
  publicApp.register(async (app) => parts.routes(app.withTypeProvider()))
  const internal = buildInternalApp(log, () => databaseReadiness(db))
  if (parts.rpc) serveRpc(internal.app, settings.INTERNAL_SECRET, parts.rpc)
  internal.app.get('/openapi.json', async () => publicApp.swagger())
  parts.internalRoutes?.(internal.app)
  let background: Background | undefined
  return {
    log,
    drainMs: settings.DRAIN_MS,
    publicApp,
    internalApp: internal.app,
    replayParked: (consumer, id) => replayAll(db, parts.consumers ?? [], { consumer, id }),
    async start() {
      await startTracing(name, settings)
      background = await startBackground(resources, parts)
      const { HOST: host, REUSE_PORT: reusePort } = settings
      await internal.app.listen({ host, port: settings.INTERNAL_PORT, reusePort })
      await publicApp.listen({ host, port: settings.PORT, reusePort })
      log.info({ port: settings.PORT }, 'ready')
    },
    async stop() {
      internal.drain()
      await closeGently(publicApp, settings.LINGER_MS)
      await background?.stop()
      await internal.app.close()
      await db.destroy()
    },
  }
}

type Background = Stoppable

// What a service does besides answering: send its events, take in others', and sweep what crashes left.
async function startBackground<Tables>(resources: Resources<Tables>, parts: ServiceParts<Tables>): Promise<Background> {
  const { name, settings, log, db } = resources
  const bus = await openBus(settings, log)
  const relay = startRelay({ databaseUrl: settings.DATABASE_URL, db, bus, log, keepMs: settings.OUTBOX_KEEP_MS })
  const consumers = (parts.consumers ?? []).map((definition) => ({ definition, group: `${name}.${definition.name}` }))
  const subscriptions = await Promise.all(
    consumers.map((consumer) => startConsumer({ db, bus, log, ...consumer, inboxKeepMs: settings.INBOX_KEEP_MS })),
  )
  const readers = consumers.map(({ definition: { name: consumer, topics }, group }) => ({ consumer, topics, group }))
  const forget = readAtScrape([...eventReadings(db, bus, readers), ...(parts.readings ?? [])])
  const sweeps = [...(parts.sweeps ?? []), oldKeys(db)]
  const sweepers = sweeps.map((sweep) => startSweeper({ ...sweep, log }))
  return {
    async stop() {
      forget()
      await stopBackground(bus, relay, subscriptions, sweepers)
    },
  }
}

function oldKeys<Tables>(db: Db<Tables>): Sweep {
  return { name: 'idempotency keys', everyMs: 60_000, sweep: () => forgetOldKeys(db) }
}

async function stopBackground(
  bus: Bus,
  relay: Stoppable,
  subscriptions: readonly Subscription[],
  sweepers: readonly Stoppable[],
): Promise<void> {
  await Promise.all([
    ...sweepers.map((sweeper) => sweeper.stop()),
    ...subscriptions.map((subscription) => subscription.close()),
  ])
  await relay.stop()
  await bus.close()
}

async function databaseReadiness<Tables>(db: Db<Tables>): Promise<string | null> {
  try {
    await sql`select 1`.execute(db)
    return null
  } catch {
    return 'the database does not answer'
  }
}
