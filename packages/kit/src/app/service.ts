import type { ConnectRouter } from '@connectrpc/connect'
import type { FastifyInstance } from 'fastify'
import { remoteTokenVerifier } from '../auth/auth.ts'
import type { VerifyToken } from '../auth/caller.ts'
import type { Bus, OpenBus, Subscription } from '../events/bus.ts'
import type { ServiceSettings } from '../config/config.ts'
import { startConsumer, type ConsumerDefinition } from '../events/consumer.ts'
import { openDatabase, type Db } from '../db/db.ts'
import { isReachable, runsQueries } from '../db/is-reachable.ts'
import { shareCommitHooks } from '../db/commit-hooks.ts'
import type { PoolOptions } from '../db/pool.ts'
import { buildPublicApp, closeGracefully, type PublicApp } from '../http/http.ts'
import { deleteExpiredKeys } from '../idempotency/stored-responses.ts'
import { connectivityCollector, degradationsOf } from './connectivity.ts'
import { buildInternalApp, type DegradationCheck } from './internal.ts'
import { openLog, type Log } from '../telemetry/log.ts'
import { registerCollectors, type MetricCollector } from '../telemetry/metrics.ts'
import { replayParked, type Replay } from '../events/parked.ts'
import type { Runnable } from './process.ts'
import { startRelay } from '../events/relay.ts'
import { serveRpc } from '../rpc/rpc.ts'
import { eventCollectors } from './service-metrics.ts'
import { partitionCollector } from '../partitions/partition-metrics.ts'
import { startTracing } from '../telemetry/tracing.ts'
import { rejectAfter } from '../jobs/reject-after.ts'
import { startSweeper, type Sweep } from '../jobs/sweeper.ts'

/** Resources shared by the modules of a service. */
export interface Resources<Tables> {
  name: string
  settings: ServiceSettings
  log: Log
  /** Pool for requests and jobs. */
  db: Db<Tables>
  /** Pool for consumers. */
  consumerDb: Db<Tables>
  verifyToken: VerifyToken
}

export interface ServiceParts<Tables> {
  openBus: OpenBus
  routes: (app: PublicApp) => void
  rpc?: (router: ConnectRouter) => void
  internalRoutes?: (app: FastifyInstance) => void
  consumers?: readonly ConsumerDefinition<Tables>[]
  sweeps?: readonly Sweep[]
  /** Metric collectors for the service's own gauges. They run at each scrape. */
  collectors?: readonly MetricCollector[]
}

export interface Service extends Runnable {
  publicApp: PublicApp
  internalApp: FastifyInstance
  /**
   * Replays events that were parked because they could not be applied: all of them, those of one consumer, or only the
   * event in row `id` of the table `parked`.
   */
  replayParked(consumer?: string, id?: number): Promise<Map<string, Replay>>
}

// Shorter than the timeout of the readiness probe, which is 3 s.
const readinessTimeoutMs = 2500

interface Stoppable {
  stop(): Promise<void>
}

/**
 * Opens the log, the connection pools and the token verifier of a service. `postgres` contains Postgres server
 * parameters, which are set on each connection of the pools.
 */
export function openResources<Tables>(
  name: string,
  settings: ServiceSettings,
  postgres: Record<string, string> = {},
): Resources<Tables> {
  const log = openLog(name, settings.LOG_LEVEL)
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const isTraced = settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined
  const open = (pool: PoolOptions) =>
    openDatabase<Tables>(settings.DATABASE_URL, onError, { isTraced, settings: postgres, ...pool })
  const db = open({
    name: 'requests',
    connections: settings.DATABASE_CONNECTIONS,
    connectTimeoutMs: settings.DATABASE_CONNECT_TIMEOUT_MS,
  })
  const consumerDb = open({
    name: 'consumers',
    connections: settings.CONSUMER_DATABASE_CONNECTIONS,
    // Longer than the default of 5 s, because event batches from many partitions wait for this small pool's
    // connections.
    connectTimeoutMs: 15_000,
  })
  shareCommitHooks(db, consumerDb)
  return { name, settings, log, db, consumerDb, verifyToken: remoteTokenVerifier(settings.USERS_INTERNAL_URL) }
}

/**
 * Creates a service without starting it. A service has a public and an internal port, a relay, consumers and sweeps.
 * Tests can call `inject` on its apps before it starts.
 */
export function createService<Tables>(resources: Resources<Tables>, parts: ServiceParts<Tables>): Service {
  const { name, settings, log, db, consumerDb, verifyToken } = resources
  const publicApp = buildPublicApp({ name, log, verifyToken })
  publicApp.register(async (app) => parts.routes(app.withTypeProvider()))
  let background: Background | undefined
  const internal = buildInternalApp(
    log,
    () => databaseReadiness(settings.DATABASE_URL),
    () => background?.degradations() ?? [],
  )
  if (parts.rpc) serveRpc(internal.app, settings.INTERNAL_SECRET, parts.rpc)
  internal.app.get('/openapi.json', async () => publicApp.swagger())
  parts.internalRoutes?.(internal.app)
  return {
    log,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    publicApp,
    internalApp: internal.app,
    replayParked: (consumer, id) => replayParked(db, parts.consumers ?? [], { consumer, id }),
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
      await closeGracefully(publicApp, settings.SHUTDOWN_DELAY_MS)
      await background?.stop()
      await internal.app.close()
      await Promise.all([db.destroy(), consumerDb.destroy()])
    },
  }
}

interface Background extends Stoppable {
  degradations: DegradationCheck
}

// Starts the background work: publishing events, consuming events and sweeping.
async function startBackground<Tables>(resources: Resources<Tables>, parts: ServiceParts<Tables>): Promise<Background> {
  const { name, settings, log, db, consumerDb } = resources
  const bus = await parts.openBus(settings, log)
  const relay = startRelay({
    databaseUrl: settings.DATABASE_URL,
    db,
    bus,
    log,
  })
  const consumers = (parts.consumers ?? []).map((definition) => ({ definition, group: `${name}.${definition.name}` }))
  const subscriptions = await Promise.all(
    consumers.map((consumer) =>
      startConsumer({
        db: consumerDb,
        bus,
        log,
        ...consumer,
        isDatabaseReachable: () => isReachable(settings.DATABASE_URL),
      }),
    ),
  )
  const groups = consumers.map(({ definition: { name: consumer, topics }, group }) => ({ consumer, topics, group }))
  const connectivity = {
    relay,
    bus,
    subscriptions: new Map(groups.map(({ consumer }, n) => [consumer, subscriptions[n]])),
  }
  const unregisterCollectors = registerCollectors([
    ...eventCollectors(db, bus, groups),
    connectivityCollector(connectivity),
    partitionCollector(db),
    ...(parts.collectors ?? []),
  ])
  const sweeps = [...(parts.sweeps ?? []), keySweep(db)]
  const sweepers = sweeps.map((sweep) => startSweeper({ ...sweep, log }))
  return {
    degradations: () => degradationsOf(connectivity),
    async stop() {
      unregisterCollectors()
      await stopBackground(bus, relay, subscriptions, sweepers)
    },
  }
}

function keySweep<Tables>(db: Db<Tables>): Sweep {
  return { name: 'idempotency keys', intervalMs: 60_000, sweep: () => deleteExpiredKeys(db) }
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

// Probes over a connection of its own. In the pool the probe would wait behind requests, and saturation would make all
// processes unready at once although the database is reachable.
async function databaseReadiness(url: string): Promise<string | null> {
  const isReady = await rejectAfter(
    readinessTimeoutMs,
    'The database did not respond in time.',
    runsQueries(url),
  ).catch(() => false)
  return isReady ? null : 'database unavailable'
}
