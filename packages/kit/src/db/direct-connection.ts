import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../telemetry/log.ts'

/** One physical connection to Postgres. Session locks are held until it closes. */
export interface Session {
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  isOpen(): boolean
}

export interface DirectConnection {
  /** Returns the open session, or undefined while disconnected. Each reconnect creates a new object. */
  session(): Session | undefined
  close(): Promise<void>
}

export interface DirectConnectionOptions {
  url: string
  /** Name in the log and in pg_stat_activity. */
  name: string
  log: Log
  /** Runs on each new database session, before `session()` returns it. */
  prepare?: (session: Session) => Promise<void>
  onOpen?: () => void
  onNotification?: (payload: string) => void
}

const firstDelayMs = 100
const maxDelayMs = 2000
const queryTimeoutMs = 15_000
const closeTimeoutMs = 1000

// With these settings, Postgres releases the locks of a crashed machine after 25 s. With Linux's default keepalive
// settings, it would release them only after more than two hours.
const keepAlive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/** Keeps one connection open for session locks and LISTEN. A failure is logged, and the connection is opened again. */
export function openDirectConnection(options: DirectConnectionOptions): DirectConnection {
  const closing = new AbortController()
  let current: Session | undefined
  const running = maintainSession(options, closing.signal, (session) => {
    current = session
    if (session) options.onOpen?.()
  })
  return {
    session: () => current,
    async close() {
      closing.abort()
      await running
    },
  }
}

async function maintainSession(
  options: DirectConnectionOptions,
  closing: AbortSignal,
  onChange: (session: Session | undefined) => void,
): Promise<void> {
  let delayMs = firstDelayMs
  while (!closing.aborted) {
    const connection = openConnection(options)
    closing.addEventListener('abort', connection.end, { once: true })
    try {
      // Also waits for the end of the connection, because pg never settles a connect() that was interrupted by end().
      await Promise.race([connection.client.connect(), connection.ended.then(failToConnect)])
      await connection.session.query(keepAlive)
      await options.prepare?.(connection.session)
      onChange(connection.session)
      delayMs = firstDelayMs
    } catch (error) {
      if (!closing.aborted) options.log.warn({ err: error, connection: options.name }, 'connection failed')
      connection.end()
    }
    await connection.ended
    closing.removeEventListener('abort', connection.end)
    onChange(undefined)
    if (closing.aborted) return
    options.log.warn({ connection: options.name, delayMs }, 'reconnecting')
    await sleep(delayMs, undefined, { signal: closing }).catch(() => undefined)
    delayMs = Math.min(delayMs * 2, maxDelayMs)
  }
}

function failToConnect(): never {
  throw new Error('The connection ended while it was being opened.')
}

interface Connection {
  client: pg.Client
  session: Session
  ended: Promise<void>
  end: () => void
}

function openConnection({ url, name, onNotification }: DirectConnectionOptions): Connection {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: queryTimeoutMs,
  })
  const end = () => {
    client.end().catch(() => undefined)
    // Destroys the socket after a timeout, because a crashed server never closes the connection.
    setTimeout(() => socket.destroy(), closeTimeoutMs).unref()
  }
  client.on('notification', ({ payload }) => onNotification?.(payload ?? ''))
  // Without a listener, an error event would terminate the process.
  client.on('error', end)
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { client, session: openSession(client, socket), ended, end }
}

function openSession(client: pg.Client, socket: Socket): Session {
  // Callers share the session, so their statements are queued and run one at a time.
  let queue: Promise<unknown> = Promise.resolve()
  return {
    isOpen: () => !socket.destroyed,
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const result = queue.then(() => client.query<Row>(text, [...values]))
      queue = result.catch((error: unknown) => {
        // After a timeout, the state of the statement on the server is unknown, so the session is closed.
        if (error instanceof Error && error.message === 'Query read timeout') socket.destroy()
      })
      return (await result).rows
    },
  }
}
