import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { violationsWhenIdle } from '@marketplace/ops/invariants/check-invariants.ts'
import type { Violation } from '@marketplace/ops/invariants/invariant.ts'
import type { JournalEntry } from '@marketplace/ops/invariants/journal.ts'
import type { Failpoint } from '../injection/failpoints.ts'
import type { Settings } from '@marketplace/stack/launcher/topology.ts'
import { cardFaultSettings } from './card-faults.ts'
import { Load } from './load.ts'
import { providerOf } from './provider.ts'
import { endSessionsOf } from './sessions.ts'
import {
  expect,
  test as withStack,
  withoutPages,
  type TestStack,
  type TestStackOptions,
} from '../../support/processes/stack.ts'

const preload = import.meta.resolve('../injection/failpoints.ts')
const preloadDoubles = import.meta.resolve('../injection/doubles.ts')
const armed = mkdtempSync(join(tmpdir(), 'marketplace-failpoints-'))
process.once('exit', () => rmSync(armed, { recursive: true, force: true }))
export const victims = ['auction', 'payments', 'catalog', 'search', 'messaging'] as const

export type Victim = (typeof victims)[number]

// Longer than every lease of the settings below. Deadlines of calls and of the provider are as in production.
const frozenMs = 3_000
const reachMs = 120_000
export const idleTimeoutMs = 40_000
const warmUpMs = 1_000
const afterwardsMs = 1_500

// Shortens what takes minutes in production: sweeps, leases, retries and checkouts that are left open.
export const shortTimes: Settings = {
  CHECKOUT_TTL_MS: '15000',
  SWEEP_INTERVAL_MS: '200',
  PAYMENT_POLL_INTERVAL_MS: '800',
  RETRY_DELAY_MS: '500',
  NEW_SALE_TTL_MS: '1500',
  RELEASED_RECHECK_DELAY_MS: '800',
  IDEMPOTENCY_LEASE_TTL_MS: '2000',
  // The few users of a test leave more checkouts open than a user would.
  MAX_OPEN_CHECKOUTS: '1000',
  MAX_EXPIRED_CHECKOUTS: '1000',
}

const extraSettings: Partial<Record<Victim, Settings>> = { payments: shortTimes }

// The few users of a test send as many requests as many users would.
const gatewayLimits: Settings = {
  LIMIT_SIGN_INS_PER_MINUTE: '6000',
  LIMIT_READS_PER_SECOND: '1000',
  LIMIT_WRITE_BURST: '1000',
  LIMIT_WRITES_PER_SECOND: '1000',
  LIMIT_ADDRESS_WRITE_BURST: '10000',
  LIMIT_ADDRESS_WRITES_PER_SECOND: '10000',
}

/** A stack with fault points in its services, and several processes of those that share leases. */
const faultStack: TestStackOptions = {
  only: withoutPages,
  replicas: { auction: 2, payments: 2, catalog: 2 },
  env: {
    ...Object.fromEntries(victims.map((name) => [name, { ...extraSettings[name], ...failpointSettings(name) }])),
    cards: cardFaultSettings,
    gateway: gatewayLimits,
  },
}

/** The fault tests share one such stack. */
export const test = withStack.extend<object>({
  stackOptions: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its parameter
    async ({}, use) => use(faultStack),
    { scope: 'worker' },
  ],
})

/** Returns the settings that make a program watch its fault-point file and load these doubles. */
export function failpointSettings(name: Victim, doubles?: string): Settings {
  const failpoint = { NODE_OPTIONS: `--import ${preload}`, FAILPOINT: fileOf(name) }
  if (doubles === undefined) return failpoint
  // Doubles are loaded first: a module that the other preload has imported cannot be replaced.
  return { ...failpoint, NODE_OPTIONS: `--import ${preloadDoubles} ${failpoint.NODE_OPTIONS}`, DOUBLES: doubles }
}

/** Arms a fault point, waits until a process has reached it, and returns the pid of that process. */
export async function reach(name: Victim, failpoint: Failpoint): Promise<number> {
  const file = fileOf(name)
  const before = reachedBy(name)
  const point = `${failpoint.point} ${failpoint.of}`
  writeFileSync(`${file}.new`, JSON.stringify(failpoint))
  renameSync(`${file}.new`, file)
  const reached = () => reachedBy(name).find((seen) => !before.includes(seen))
  try {
    await expect.poll(reached, { timeout: reachMs, message: `${name} reaches ${point}` }).toBeDefined()
  } finally {
    rmSync(file, { force: true })
  }
  return Number(/\d+$/.exec(reached() ?? '')?.[0])
}

/** Kills the process that reaches the point; resolves once its replacement is ready. */
export async function killAt(stack: TestStack, name: Victim, failpoint: Omit<Failpoint, 'action'>): Promise<void> {
  const pid = await reach(name, { ...failpoint, action: 'kill' })
  await expect.poll(() => stack.services[name].pids()).not.toContain(pid)
  await stack.services[name].ready()
}

/** Stops the process that reaches the point for longer than any lease, then resumes it. */
export async function freezeAt(name: Victim, failpoint: Omit<Failpoint, 'action'>): Promise<void> {
  await freeze(name, failpoint, async () => {})
}

/** Also ends the database sessions of the stopped process: its locks and transactions are released. */
export async function freezeAndCutAt(
  stack: TestStack,
  name: Victim,
  failpoint: Omit<Failpoint, 'action'>,
): Promise<void> {
  await freeze(name, failpoint, (pid) => endSessionsOf(pid, stack.adminUrl))
}

async function freeze(
  name: Victim,
  failpoint: Omit<Failpoint, 'action'>,
  meanwhile: (pid: number) => Promise<void>,
): Promise<void> {
  const pid = await reach(name, { ...failpoint, action: 'stop' })
  try {
    await meanwhile(pid)
    await new Promise((done) => setTimeout(done, frozenMs))
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** Runs the fault under load, and lets the load continue for a while. */
export async function underLoad(stack: TestStack, fault: (load: Load) => Promise<unknown>): Promise<Load> {
  const load = await Load.start(stack)
  try {
    await new Promise((done) => setTimeout(done, warmUpMs))
    await fault(load)
    await new Promise((done) => setTimeout(done, afterwardsMs))
  } finally {
    await load.stop()
  }
  return load
}

/** Expects that every invariant holds once the system is idle, for the database and the journal. */
export async function expectNoViolations(stack: TestStack, load: Load): Promise<void> {
  expect(await violationsOf(stack, load.journal, idleTimeoutMs), load.summary()).toEqual([])
  // From here on there are no writes, so that counts can be compared.
  await load.readUnread()
  expect(await violationsOf(stack, load.journal, idleTimeoutMs)).toEqual([])
}

export function violationsOf(
  stack: TestStack,
  journal: readonly JournalEntry[] | undefined,
  withinMs: number,
): Promise<Violation[]> {
  const sources = { databaseUrl: stack.adminUrl, provider: providerOf(stack), journal }
  return violationsWhenIdle(sources, withinMs)
}

function fileOf(name: Victim): string {
  return join(armed, `${name}.json`)
}

function reachedBy(name: Victim): string[] {
  return readdirSync(armed).filter((file) => file.startsWith(`${name}.json.reached-`))
}
