import pg from 'pg'
import { poolClient } from './db-client.ts'
import { gauge, histogram, readAtScrape } from './metrics.ts'

const waits = histogram('database_pool_wait_seconds', 'How long work waited for a connection of the pool.')
const waiting = gauge('database_pool_waiting_requests', 'Work that waits for a connection of the pool.')
const connections = gauge('database_pool_connections', 'Connections of the pool, by what they do.', ['state'])

export interface PoolOptions {
  /** At most so many. */
  connections?: number
  /** How long Postgres may be silent, ms, before the connection is given up: its machine or the way there may be gone. */
  silentMs?: number
  /** Postgres’, for all connections. */
  settings?: Record<string, string>
}

/** A pool that tells how long one waits for a connection. */
export function openPool(
  url: string,
  onError: (error: Error) => void,
  { connections: max = 8, silentMs = 15_000, settings = {} }: PoolOptions,
) {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    Client: poolClient(),
    // See db-dialect.ts.
    pipeline: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    // Above statement_timeout, by which a server that is there answers.
    query_timeout: silentMs,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  })
  // An idle connection that breaks would end the process otherwise; the pool replaces it.
  pool.on('error', onError)
  // So would one that breaks between two statements of a transaction; the pool listens to idle ones only.
  pool.on('connect', (client) => client.on('error', onError))
  const forget = readAtScrape([{ name: 'pool', read: () => tell(pool) }])
  return {
    options: pool.options,
    async connect(): Promise<pg.PoolClient> {
      const askedAt = performance.now()
      try {
        return await pool.connect()
      } finally {
        waits.observe((performance.now() - askedAt) / 1000)
      }
    },
    async end(): Promise<void> {
      forget()
      await pool.end()
    },
  }
}

function tell(pool: pg.Pool): void {
  waiting.set(pool.waitingCount)
  connections.set({ state: 'idle' }, pool.idleCount)
  connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
}
