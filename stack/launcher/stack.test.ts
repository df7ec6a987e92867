import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveAdminUrl } from '../commands/admin-url.ts'
import { MarketplaceClient } from '../demo/client.ts'
import { freePort } from '../servers/ports.ts'
import { isAlive, waitUntilGone } from '../servers/postgres/postmaster.ts'
import { startPostgres } from '../servers/postgres/postgres.ts'
import { settingsOfRunning } from './running.ts'
import { startStack, type Stack } from './stack.ts'
import type { ProgramName } from './topology.ts'

const only: readonly ProgramName[] = ['users', 'gateway', 'identity', 'cards']
const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-stack-'))
const lines: string[] = []
const options = {
  dataDir,
  only,
  durable: false,
  replicas: { users: 2 },
  report: (line: string) => void lines.push(line),
}

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

function pidsOf(stack: Stack): number[] {
  return [stack.postgres.pid() ?? 0, ...Object.values(stack.services).flatMap((program) => program.pids())]
}

async function emailAt(stack: Stack): Promise<string> {
  const alice = await MarketplaceClient.signIn(stack.url, 'alice@example.com')
  return (await alice.get<{ email: string }>('/api/users/me')).email
}

describe('a started stack', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ ...options, port: 0 })
  })
  afterAll(() => stack.stop())

  it('signs users in through its own provider and reports the duration of each step', async () => {
    expect(await emailAt(stack)).toBe('alice@example.com')
    expect(lines.filter((line) => !/^[\w ]+ +\d+\.\d s$/.test(line))).toEqual([])
    expect(lines.map((line) => line.split('  ')[0])).toEqual(
      expect.arrayContaining(['Database', 'Schemas and roles', 'Migrations', 'users', 'gateway', 'identity', 'cards']),
    )
  })

  it('stores its secrets readable by its user only', () => {
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(stack.secrets)
  })

  it('runs two processes of a service on one port', () => {
    expect([stack.services.users.pids().length, stack.services.gateway.pids().length]).toEqual([2, 1])
  })

  it.each(['users', 'gateway', 'identity', 'cards'] as const)('restarts %s after a kill -9', async (name) => {
    const before = stack.services[name].pids()
    stack.services[name].kill('SIGKILL')
    const isRestarted = () =>
      stack.services[name].pids().filter((pid) => !before.includes(pid)).length === before.length
    await expect.poll(isRestarted).toBe(true)
    await stack.services[name].ready()
    expect(await emailAt(stack)).toBe('alice@example.com')
  })

  it('restarts Postgres after a kill -9, and the services reconnect', async () => {
    process.kill(stack.postgres.pid() ?? 0, 'SIGKILL')
    await expect.poll(() => emailAt(stack).catch(() => '')).toBe('alice@example.com')
  })

  it('keeps a program stopped until it is started with other settings', async () => {
    await stack.services.cards.stop()
    expect(stack.services.cards.pids()).toEqual([])
    await stack.services.cards.start({ WEBHOOKS: 'off' })
    expect(stack.services.cards.pids()).toHaveLength(1)
  })

  it('rejects a second launcher in the same folder', async () => {
    await expect(launch(dataDir)).rejects.toThrow(
      `The data folder ${dataDir} is in use by another marketplace (process ${process.pid})`,
    )
  })

  it('stops every process', async () => {
    const pids = pidsOf(stack)
    await stack.stop()
    expect(pids.filter(isAlive)).toEqual([])
    expect(() => resolveAdminUrl({ DATA_DIR: dataDir })).toThrow(`No marketplace runs in ${dataDir}`)
  })

  it('keeps its accounts and ports at the next start', async () => {
    const { users, identity } = stack.services
    stack = await startStack({ ...options, port: 0 })
    expect([stack.services.users.url, stack.services.identity.url]).toEqual([users.url, identity.url])
    expect(await emailAt(stack)).toBe('alice@example.com')
  })
})

it('rejects a port that is in use in one sentence', async () => {
  const other = createServer().listen(await freePort(), '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(startStack({ ...options, port })).rejects.toThrow(`Port ${port} is in use`)
  other.close()
})

it('reports a program that fails to start with its reason, and leaves nothing running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-stack-'))
  const failing = startStack({
    ...options,
    port: 0,
    dataDir: folder,
    replicas: {},
    env: { users: { SESSION_SECRET: 'short' } },
  })
  await expect(failing).rejects.toThrow(/users did not start \(code 1\): SESSION_SECRET is missing or invalid/)
  rmSync(folder, { recursive: true })
})

it.each([
  ['DATABASE_URL', { databaseUrl: 'postgres://postgres@127.0.0.1:1/postgres' }],
  ['KAFKA_BROKERS', { kafkaBrokers: '127.0.0.1:1' }],
])('reports a %s that refuses the connection in one sentence', async (setting, servers) => {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-stack-'))
  const failing = startStack({ port: 0, dataDir: folder, only: [], durable: false, ...servers })
  await expect(failing).rejects.toThrow(new RegExp(`^${setting} does not work \\(.*ECONNREFUSED`))
  rmSync(folder, { recursive: true })
})

it('stores the address of an external Postgres for the commands, until it stops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-stack-'))
  const postgresFolder = mkdtempSync(join(tmpdir(), 'marketplace-stack-'))
  const postgres = await startPostgres({ dataDir: postgresFolder, durable: false })
  const external = await startStack({ port: 0, dataDir: folder, databaseUrl: postgres.adminUrl, only: [] })
  expect(resolveAdminUrl({ DATA_DIR: folder })).toBe(external.adminUrl)
  const { DATABASE_URL: ofUsers = '' } = settingsOfRunning(folder, 'users')
  expect([external.adminUrl, ofUsers].map((url) => new URL(url).port)).toEqual(Array(2).fill(String(postgres.port)))
  await external.stop()
  expect(() => resolveAdminUrl({ DATA_DIR: folder })).toThrow(`No marketplace runs in ${folder}`)
  expect(() => settingsOfRunning(folder, 'users')).toThrow(`No marketplace runs in ${folder}`)
  await postgres.stop()
  for (const used of [folder, postgresFolder]) rmSync(used, { recursive: true })
})

it('ends when its launcher is killed, and starts again in the same folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-stack-'))
  const { launcher, pids } = await launch(folder)
  launcher.kill('SIGKILL')
  const again = await startStack({ ...options, port: 0, dataDir: folder, replicas: {} })
  expect(await emailAt(again)).toBe('alice@example.com')
  expect(await Promise.all(pids.map((pid) => waitUntilGone(pid, 60_000)))).not.toContain(false)
  await again.stop()
  rmSync(folder, { recursive: true })
})

/** Runs a launcher in a process of its own. Rejects with its stderr when it exits. */
async function launch(folder: string): Promise<{ launcher: ChildProcess; pids: number[] }> {
  const source = JSON.stringify(new URL('./stack.ts', import.meta.url).href)
  const script = `import { startStack } from ${source}
    const { services } = await startStack({ port: 0, dataDir: ${JSON.stringify(folder)}, only: ${JSON.stringify(only)}, durable: false })
    console.log(JSON.stringify(Object.values(services).flatMap((program) => program.pids()))); setInterval(() => {}, 1e6)`
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  launcher.stderr.on('data', (chunk) => (errors += String(chunk)))
  const line = await new Promise<string>((resolve, reject) => {
    launcher.stdout.once('data', (chunk) => resolve(String(chunk)))
    launcher.once('exit', () => reject(new Error(errors)))
  })
  return { launcher, pids: JSON.parse(line) }
}
