import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntilGone } from './postmaster.ts'
import { startPostgres, type RunningPostgres } from './postgres.ts'

const folders: string[] = []
const isRoot = process.getuid?.() === 0

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-pg-'))
  folders.push(folder)
  return folder
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end())
  return rows.flat()
}

async function launchElsewhere(dataDir: string): Promise<{ pid: number; launcher: ReturnType<typeof spawn> }> {
  const source = new URL('./postgres.ts', import.meta.url).href
  const script = `import { startPostgres } from ${JSON.stringify(source)}
    const pg = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: true }); console.log(pg.pid); setInterval(() => {}, 1e6)`
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(launcher.stdout, 'data')
  return { pid: Number(String(line)), launcher }
}

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describe('a started Postgres', () => {
  const dataDir = newFolder()
  let postgres: RunningPostgres
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir, durable: true })
  })
  afterAll(() => postgres.stop())

  it('is durable, uses UTF-8, listens on loopback only and requires a password', async () => {
    const shown = await query(
      postgres.adminUrl,
      `SELECT name || '=' || setting FROM pg_settings WHERE name IN
      ('fsync', 'synchronous_commit', 'listen_addresses', 'max_connections', 'server_encoding', 'unix_socket_directories') ORDER BY name`,
    )
    expect(shown).toEqual([
      'fsync=on',
      'listen_addresses=127.0.0.1',
      'max_connections=200',
      'server_encoding=UTF8',
      'synchronous_commit=on',
      'unix_socket_directories=',
    ])
    await expect(query(postgres.adminUrl.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
      'password authentication failed',
    )
    expect(statSync(join(dataDir, 'admin-password')).mode & 0o777).toBe(0o600)
  })

  it('handles letters beyond ASCII in lower case and in trigrams', async () => {
    await query(postgres.adminUrl, 'CREATE EXTENSION IF NOT EXISTS pg_trgm')
    expect(
      await query(postgres.adminUrl, `SELECT lower('ÄÖÜ'), similarity('grün', 'grün') > similarity('grün', 'gran')`),
    ).toEqual(['äöü', true])
  })

  it('restarts after a kill -9 of the server with the committed data', async () => {
    await query(postgres.adminUrl, 'CREATE TABLE stored AS SELECT 42 AS value')
    process.kill(postgres.pid, 'SIGKILL')
    await postgres.exited
    postgres = await startPostgres({ dataDir, durable: true, port: postgres.port })
    expect(await query(postgres.adminUrl, 'SELECT value FROM stored')).toEqual([42])
  })

  it('starts when the pid of a stale pid file belongs to another process', async () => {
    const file = join(realpathSync(dataDir), 'cluster', 'postmaster.pid')
    const lines = readFileSync(file, 'utf8').split('\n')
    await postgres.stop()
    writeFileSync(file, [String(process.pid), ...lines.slice(1)].join('\n'))
    postgres = await startPostgres({ dataDir, durable: true })
    expect(await query(postgres.adminUrl, 'SELECT value FROM stored')).toEqual([42])
  })

  it('is reused when it is already running', async () => {
    const second = await startPostgres({ dataDir, durable: true })
    expect(second).toMatchObject({ pid: postgres.pid, port: postgres.port, adminUrl: postgres.adminUrl })
  })
})

it('ends by itself after a kill -9 of its launcher', async () => {
  const { pid, launcher } = await launchElsewhere(newFolder())
  launcher.kill('SIGKILL')
  await expect.poll(() => waitUntilGone(pid, 0)).toBe(true)
})

it('starts again right after a kill -9 of its launcher', async () => {
  const dataDir = newFolder()
  const { pid, launcher } = await launchElsewhere(dataDir)
  launcher.kill('SIGKILL')
  const next = await startPostgres({ dataDir, durable: true })
  expect(await query(next.adminUrl, 'SELECT 1')).toEqual([1])
  await next.stop()
  expect(await waitUntilGone(pid, 0)).toBe(true)
})

it('is replaced when the guard of its launcher may be stopping it', async () => {
  const dataDir = newFolder()
  const before = await startPostgres({ dataDir, durable: true })
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('launcher'))) rmSync(join(dataDir, name))
  const next = await startPostgres({ dataDir, durable: true })
  expect(next.pid).not.toBe(before.pid)
  expect(await query(next.adminUrl, 'SELECT 1')).toEqual([1])
  await next.stop()
})

it.runIf(isRoot)('stores its data where Postgres can access it when started by root', async () => {
  const locked = newFolder()
  const dataDir = join(locked, 'inner', 'postgres')
  mkdirSync(dataDir, { recursive: true })
  chmodSync(locked, 0o700)
  const first = await startPostgres({ dataDir, durable: false })
  await query(first.adminUrl, 'CREATE TABLE stored AS SELECT 1 AS value')
  await first.stop()
  const again = await startPostgres({ dataDir, durable: false })
  expect(await query(again.adminUrl, 'SELECT value FROM stored')).toEqual([1])
  await again.stop()
  rmSync(realpathSync(join(dataDir, 'moved')), { recursive: true })
})

// The mark of moved data cannot be linked across file systems.
const canMark = isRoot && existsSync('/var/lib') && statSync(tmpdir()).dev === statSync('/var/lib').dev

it.runIf(canMark)('deletes moved data once its data folder was deleted, not when that was renamed', async () => {
  const dataDir = join(newFolder(), 'postgres')
  const moveData = async () => {
    await (await startPostgres({ dataDir, durable: false })).stop()
    return realpathSync(join(dataDir, 'moved'))
  }
  const ofRenamed = await moveData()
  renameSync(dataDir, `${dataDir}-renamed`)
  const ofDeleted = await moveData()
  rmSync(dataDir, { recursive: true })
  const current = await moveData()
  expect([ofRenamed, ofDeleted, current].map((folder) => existsSync(folder))).toEqual([true, false, true])
  for (const folder of [ofRenamed, current]) rmSync(folder, { recursive: true })
})
