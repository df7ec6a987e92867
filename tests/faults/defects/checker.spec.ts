import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry } from '@marketplace/ops/invariants/journal.ts'
import { run } from '@marketplace/tools/run/run.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { expect, type TestStack } from '../../support/processes/stack.ts'
import { applyCorruptions } from './apply-corruptions.ts'
import { corruptions } from './corruptions.ts'
import { expectNoViolations, test, underLoad } from '../load/faults.ts'
import { providerOf } from '../load/provider.ts'

test.describe.configure({ timeout: 480_000 })

const kinds = ['listing', 'bid', 'intent', 'paid', 'cancelled', 'offer', 'message', 'mark-read', 'saw']

function missingKinds(journal: readonly JournalEntry[]): string[] {
  return kinds.filter((expected) => journal.filter(({ kind }) => kind === expected).length < 5)
}

async function verify(stack: TestStack, journal: readonly JournalEntry[]) {
  const JOURNAL = join(stack.dataDir, 'journal.jsonl')
  writeFileSync(JOURNAL, journal.map((entry) => JSON.stringify(entry)).join('\n'))
  const { secretKey, apiBase } = providerOf(stack)
  const env = { DATABASE_URL: stack.adminUrl, STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase, JOURNAL }
  return run('node', ['ops/main.ts', 'verify-invariants'], { env })
}

// Services would block on the locks of the corruptions and repair some of them.
async function whileStopped<Result>({ services }: TestStack, work: () => Promise<Result>): Promise<Result> {
  await Promise.all(schemas.map((name) => services[name].stop()))
  try {
    return await work()
  } finally {
    await Promise.all(schemas.map((name) => services[name].start()))
  }
}

test('every invariant holds under load, and each corruption is found', async ({ stack }) => {
  // A load without some kind of entry would leave its invariants unchecked.
  const load = await underLoad(stack, ({ journal }) =>
    expect.poll(() => missingKinds(journal), { timeout: 180_000, intervals: [1000] }).toEqual([]),
  )
  await expectNoViolations(stack, load)
  await expectCheckerOutput(stack, load.journal)

  const { names, missed } = await whileStopped(stack, () => applyCorruptions(stack, load.journal))
  expect(missed).toEqual([])
  const broken = new Set(corruptions.map(([invariant]) => invariant))
  // Checked without the database: see observed-prices.test.ts.
  expect(names.filter((name) => !broken.has(name))).toEqual(['what the load saw came in order'])
})

/** Checks the output of `npm run verify-invariants` for the journal, and for one with a bid that does not exist. */
async function expectCheckerOutput(stack: TestStack, journal: readonly JournalEntry[]): Promise<void> {
  const sound = await verify(stack, journal)
  expect(sound.output).toMatch(/ok {3}the ledger equals the provider’s record[^]*Invariants: \d+ hold, 0 do not/)
  expect(sound.code).toBe(0)

  const placed = journal.find(({ kind }) => kind === 'bid')
  const lost = { ...placed!, id: '0197a5b0-0000-7000-8000-000000000000' }
  const unsound = await verify(stack, [...journal, lost])
  expect(unsound.output).toMatch(/FAIL no acknowledged write is lost\n {5}bid 0197a5b0/)
  expect(unsound.code).toBe(1)
}
