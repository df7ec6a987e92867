import pg from 'pg'
import { poolClient } from './client.ts'
import { unavailable } from '../errors/problem.ts'
import { isTransient } from '../errors/transient-error.ts'
import { gauge, histogram, registerCollectors } from '../telemetry/metrics.ts'

const waits = histogram('database_pool_wait_seconds', 'Time spent waiting for a pool connection.', ['pool'])
const waiting = gauge('database_pool_waiting_requests', 'Callers waiting for a pool connection.', ['pool'])
const connections = gauge('database_pool_connections', 'Pool connections, by pool and state.', ['pool', 'state'])

export interface PoolOptions {
  /**
   * Name of the pool in the metrics: `requests` (requests and jobs), `consumers` (event consumers) or `pictures`
   * (picture worker).
   */
  name?: 'requests' | 'consumers' | 'pictures'
  /** Maximum number of connections. */
  connections?: number
  /** Time in ms that a caller waits for a connection. */
  connectTimeoutMs?: number
  /** Time in ms after which a query without a response fails, for example because the network is down. */
  queryTimeoutMs?: number
  /** Postgres settings of all connections. */
  settings?: Record<string, string>
}

/**
 * Opens a connection pool. A metric records how long callers wait for a connection. If a caller receives none in time,
 * `connect` throws `unavailable` (503). A retry is safe, because nothing was sent to the database.
 */
export function openPool(
  url: string,
  onError: (error: Error) => void,
  {
    name = 'requests',
    connections: max = 8,
    connectTimeoutMs = 5000,
    queryTimeoutMs = 15_000,
    settings = {},
  }: PoolOptions,
) {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    Client: poolClient(),
    // Required by PipeliningDialect (dialect.ts).
    pipeline: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    // `query_timeout` (client) is longer than `statement_timeout` (server), so that a reachable server ends a slow
    // statement first.
    query_timeout: queryTimeoutMs,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  })
  // Without a listener, an error on an idle connection would terminate the process. The pool replaces the connection.
  pool.on('error', onError)
  // The pool handles errors of idle connections only. This listener handles an error of a connection in use, for
  // example between two statements of a transaction.
  pool.on('connect', (client) => client.on('error', onError))
  const unregisterCollectors = registerCollectors([{ name: `pool of ${name}`, collect: () => recordPool(name, pool) }])
  return {
    options: pool.options,
    async connect(): Promise<pg.PoolClient> {
      const startedAt = performance.now()
      try {
        return await pool.connect()
      } catch (error) {
        throw isTransient(error) ? Object.assign(unavailable('This'), { cause: error }) : error
      } finally {
        waits.observe({ pool: name }, (performance.now() - startedAt) / 1000)
      }
    },
    async end(): Promise<void> {
      unregisterCollectors()
      await pool.end()
    },
  }
}

function recordPool(name: string, pool: pg.Pool): void {
  waiting.set({ pool: name }, pool.waitingCount)
  connections.set({ pool: name, state: 'idle' }, pool.idleCount)
  connections.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount)
}
