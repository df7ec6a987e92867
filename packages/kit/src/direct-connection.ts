import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.ts'

/** One physical connection. Its session locks live exactly as long as its statements are answered. */
export interface Session {
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  isOpen(): boolean
}

export interface DirectConnection {
  /** The session that is open now; another object after every reconnect. */
  session(): Session | undefined
  close(): Promise<void>
}

export interface DirectConnectionOptions {
  url: string
  /** For the log and pg_stat_activity. */
  name: string
  log: Log
  /** Runs on each new session before anyone else sees it. */
  prepare?: (session: Session) => Promise<void>
  onOpen?: () => void
  onNotification?: (payload: string) => void
}

const firstDelayMs = 100
const longestDelayMs = 2000
const queryTimeoutMs = 15_000
const goodbyeMs = 1000

// A peer whose machine is gone must not keep its locks for hours (Linux gives up after two by default).
const keepAlive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/** Keeps one connection open, for session locks and LISTEN; it comes back by itself and never throws. */
export function openDirectConnection(options: DirectConnectionOptions): DirectConnection {
  const closing = new AbortController()
  let current: Session | undefined
  const running = keepConnected(options, closing.signal, (session) => {
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

async function keepConnected(
  options: DirectConnectionOptions,
  closing: AbortSignal,
  report: (session: Session | undefined) => void,
): Promise<void> {
  let delayMs = firstDelayMs
  while (!closing.aborted) {
    const line = openLine(options)
    closing.addEventListener('abort', line.end, { once: true })
    try {
      // The client never settles a connect that its own end cut short.
      await Promise.race([line.client.connect(), line.ended.then(failToConnect)])
      await line.session.query(keepAlive)
      await options.prepare?.(line.session)
      report(line.session)
      delayMs = firstDelayMs
    } catch (error) {
      if (!closing.aborted) options.log.warn({ err: error, connection: options.name }, 'connection failed')
      line.end()
    }
    await line.ended
    closing.removeEventListener('abort', line.end)
    report(undefined)
    if (closing.aborted) return
    options.log.warn({ connection: options.name, delayMs }, 'connecting again')
    await sleep(delayMs, undefined, { signal: closing }).catch(() => undefined)
    delayMs = Math.min(delayMs * 2, longestDelayMs)
  }
}

function failToConnect(): never {
  throw new Error('The connection ended while it was being opened.')
}

interface Line {
  client: pg.Client
  session: Session
  ended: Promise<void>
  end: () => void
}

function openLine({ url, name, onNotification }: DirectConnectionOptions): Line {
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
    // A peer that is gone never says goodbye.
    setTimeout(() => socket.destroy(), goodbyeMs).unref()
  }
  client.on('notification', ({ payload }) => onNotification?.(payload ?? ''))
  // Without a listener an error of the connection would end the process.
  client.on('error', end)
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { client, session: openSession(client, socket), ended, end }
}

function openSession(client: pg.Client, socket: Socket): Session {
  // The client asks for one statement at a time; callers of a shared session need not know of each other.
  let queue: Promise<unknown> = Promise.resolve()
  return {
    isOpen: () => !socket.destroyed,
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const answer = queue.then(() => client.query<Row>(text, [...values]))
      queue = answer.catch((error: unknown) => {
        // The server did not answer in time; what it still does is unknown, so the session is given up.
        if (error instanceof Error && error.message === 'Query read timeout') socket.destroy()
      })
      return (await answer).rows
    },
  }
}
