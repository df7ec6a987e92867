import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findingsOnceQuiet } from '@marketplace/dev/invariants/find-findings.ts'
import type { Finding } from '@marketplace/dev/invariants/invariant.ts'
import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import type { Failpoint } from '@marketplace/dev/failpoints.ts'
import type { Settings } from '@marketplace/dev/wiring.ts'
import { cardSwitches } from './card-switches.ts'
import { Load } from './load.ts'
import { providerOf } from './provider.ts'
import { endSessionsOf } from './sessions.ts'
import { expect, test as withStack, withoutPages, type TestStack, type TestStackOptions } from '../src/stack.ts'

const preload = import.meta.resolve('@marketplace/dev/failpoints.ts')
const armed = mkdtempSync(join(tmpdir(), 'marketplace-failpoints-'))
process.once('exit', () => rmSync(armed, { recursive: true, force: true }))
const victims = ['auction', 'payments', 'catalog', 'search', 'messaging'] as const

export type Victim = (typeof victims)[number]

// Longer than every lease of the settings below; a call's deadline and the provider's are as in production.
const frozenMs = 3_000
const reachMs = 120_000
export const quietMs = 40_000
const warmUpMs = 1_000
const afterwardsMs = 1_500

// What waits for minutes in production: the sweeper's looks, leases and tries again, and checkouts that are left open.
export const shortTimes: Settings = {
  CHECKOUT_MS: '15000',
  SWEEP_EVERY_MS: '200',
  PAYABLE_POLL_MS: '800',
  RETRY_MS: '500',
  NEW_GRACE_MS: '1500',
  RELEASED_LOOK_MS: '800',
  KEY_RUNNING_MS: '2000',
}

const timesOf: Partial<Record<Victim, Settings>> = { payments: shortTimes }

// Few people do here what many would.
const patience: Settings = {
  LIMIT_SIGN_INS_PER_MINUTE: '6000',
  LIMIT_READS_PER_SECOND: '1000',
  LIMIT_WRITE_BURST: '1000',
  LIMIT_WRITES_PER_SECOND: '1000',
}

/** A stack whose services can be made to fail at a named point; several processes of those that share leases. */
const faultStack: TestStackOptions = {
  only: withoutPages,
  replicas: { auction: 2, payments: 2, catalog: 2 },
  env: {
    ...Object.fromEntries(victims.map((name) => [name, { ...timesOf[name], ...failpointSettings(name) }])),
    cards: cardSwitches,
    gateway: patience,
  },
}

/** The files of fault tests share one such stack. */
export const test = withStack.extend<object>({
  stackOptions: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its parameter
    async ({}, use) => use(faultStack),
    { scope: 'worker' },
  ],
})

/** Settings under which a program looks out for its failpoint. */
export function failpointSettings(name: Victim): Settings {
  return { NODE_OPTIONS: `--import ${preload}`, FAILPOINT: fileOf(name) }
}

/** Arms a failpoint and waits until a process has reached it; answers that process. */
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

/** Kills whoever reaches the point; resolves once what was killed answers again. */
export async function killAt(stack: TestStack, name: Victim, failpoint: Omit<Failpoint, 'action'>): Promise<void> {
  const pid = await reach(name, { ...failpoint, action: 'kill' })
  await expect.poll(() => stack.services[name].pids()).not.toContain(pid)
  await stack.services[name].ready()
}

/** Stops whoever reaches the point for longer than any lease, then lets it go on where it stood. */
export async function freezeAt(name: Victim, failpoint: Omit<Failpoint, 'action'>): Promise<void> {
  await freeze(name, failpoint, async () => {})
}

/** The same, and meanwhile the database gives its sessions up: locks and open transactions go to the others. */
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

/** Runs the fault while people are at it, and lets them go on for a while after. */
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

/** Every invariant holds once what is under way had its time, and the load was not told otherwise. */
export async function expectNoFindings(stack: TestStack, load: Load): Promise<void> {
  expect(await findingsOf(stack, load.journal, quietMs), load.summary()).toEqual([])
  // From here on nobody writes: counts may be compared.
  await load.readUnread()
  expect(await findingsOf(stack, load.journal, quietMs)).toEqual([])
}

export function findingsOf(
  stack: TestStack,
  journal: readonly JournalEntry[] | undefined,
  withinMs: number,
): Promise<Finding[]> {
  const world = { databaseUrl: stack.adminUrl, provider: providerOf(stack), journal }
  return findingsOnceQuiet(world, withinMs)
}

function fileOf(name: Victim): string {
  return join(armed, `${name}.json`)
}

function reachedBy(name: Victim): string[] {
  return readdirSync(armed).filter((file) => file.startsWith(`${name}.json.reached-`))
}
