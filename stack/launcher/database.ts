import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { isAlive } from '../servers/postgres/postmaster.ts'
import { startPostgres, type RunningPostgres } from '../servers/postgres/postgres.ts'
import { reasonOf, StartError } from './start-error.ts'

export interface DatabaseOptions {
  readonly dataDir: string
  readonly port: number
  readonly durable: boolean
  readonly sharedBuffers?: string | undefined
  readonly report: (line: string) => void
}

export interface Database {
  readonly adminUrl: string
  /** Undefined for an external server. */
  pid(): number | undefined
  stop(): Promise<void>
}

const restartDelayMs = 500
const connectTimeoutMs = 10_000

/** Runs the stack's own Postgres and restarts it when it exits. */
export async function runDatabase({ report, ...options }: DatabaseOptions): Promise<Database> {
  let postgres = await startPostgres(options)
  let isWanted = true
  const restart = async (): Promise<void> => {
    try {
      postgres = await startPostgres({ ...options, port: postgres.port })
    } catch (error) {
      report(`Postgres: ${error instanceof Error ? error.message : String(error)}`)
      await sleep(restartDelayMs)
    }
  }
  const keepAlive = async (running: RunningPostgres): Promise<void> => {
    await running.exited
    if (!isWanted) return
    report('Postgres exited and is restarted')
    await restart()
    return keepAlive(postgres)
  }
  void keepAlive(postgres)
  return {
    adminUrl: postgres.adminUrl,
    pid: () => postgres.pid,
    async stop() {
      isWanted = false
      await postgres.stop()
    },
  }
}

/**
 * Returns an external server at the given URL, which this stack neither starts nor stops. Throws StartError when it
 * accepts no connection.
 */
export async function externalDatabase(adminUrl: string): Promise<Database> {
  await connectOnce(adminUrl).catch((error: unknown) => {
    throw new StartError(`DATABASE_URL does not work (${reasonOf(error)}): start that Postgres, or correct the URL.`)
  })
  return { adminUrl, pid: () => undefined, stop: async () => {} }
}

async function connectOnce(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => {})
  await client.connect()
  await client.end()
}

/** Returns the URL of another database on the same server. */
export function withDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

const Stored = z.object({ pid: z.number(), adminUrl: z.string() })

function storedFile(dataDir: string): string {
  return join(dataDir, 'database.json')
}

/**
 * Stores the admin's URL of the marketplace database in the data folder, readable by its user only, for commands that
 * run while this process does. Returns the function that deletes it.
 */
export function storeAdminUrl(dataDir: string, adminUrl: string): () => Promise<void> {
  const file = storedFile(dataDir)
  writeFileSync(file, JSON.stringify({ pid: process.pid, adminUrl }), { mode: 0o600 })
  return () => rm(file, { force: true })
}

/** Returns the URL that the marketplace in this data folder stored. Throws StartError when none runs there. */
export function readAdminUrl(dataDir: string): string {
  const path = resolve(dataDir)
  const file = storedFile(path)
  const stored = existsSync(file) ? Stored.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
  if (stored && isAlive(stored.pid)) return stored.adminUrl
  throw new StartError(
    `No marketplace runs in ${path}: start one there, or set DATABASE_URL to the admin's URL of its database.`,
  )
}
