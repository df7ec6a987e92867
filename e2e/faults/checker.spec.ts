import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import { run } from '@marketplace/dev/run.ts'
import { SCHEMAS } from '@marketplace/dev/wiring.ts'
import { expect, type TestStack } from '../src/stack.ts'
import { breakRecords } from './break-records.ts'
import { breaks } from './breaks.ts'
import { expectNoFindings, test, underLoad } from './faults.ts'
import { providerOf } from './provider.ts'

test.describe.configure({ timeout: 240_000 })

const kinds = ['listing', 'bid', 'intent', 'paid', 'cancelled', 'offer', 'message', 'mark-read', 'saw']

function tooFew(journal: readonly JournalEntry[]): string[] {
  return kinds.filter((wanted) => journal.filter(({ kind }) => kind === wanted).length < 5)
}

async function verify(stack: TestStack, journal: readonly JournalEntry[]) {
  const JOURNAL = join(stack.dataDir, 'journal.jsonl')
  writeFileSync(JOURNAL, journal.map((entry) => JSON.stringify(entry)).join('\n'))
  const { secretKey, apiBase } = providerOf(stack)
  const env = { DATABASE_URL: stack.adminUrl, STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase, JOURNAL }
  return run('node', ['dev/src/verify-invariants.ts'], { env })
}

// The services would wait for what the breaks lock, and mend some of them.
async function whileClosed<Result>({ services }: TestStack, work: () => Promise<Result>): Promise<Result> {
  await Promise.all(SCHEMAS.map((name) => services[name].stop()))
  try {
    return await work()
  } finally {
    await Promise.all(SCHEMAS.map((name) => services[name].start()))
  }
}

test('under load alone every invariant holds, and each break of one is found', { tag: '@long' }, async ({ stack }) => {
  // A load that leaves something out would find nothing there.
  const load = await underLoad(stack, ({ journal }) =>
    expect.poll(() => tooFew(journal), { timeout: 90_000, intervals: [1000] }).toEqual([]),
  )
  await expectNoFindings(stack, load)
  await expectVerdicts(stack, load.journal)

  const { names, unseen } = await whileClosed(stack, () => breakRecords(stack, load.journal))
  expect(unseen).toEqual([])
  const broken = new Set(breaks.map(([invariant]) => invariant))
  // Judged without the database: see seen-prices.test.ts.
  expect(names.filter((name) => !broken.has(name))).toEqual(['what the load saw came in order'])
})

/** What `npm run verify-invariants` says of it, and of a journal with a bid that is not there. */
async function expectVerdicts(stack: TestStack, journal: readonly JournalEntry[]): Promise<void> {
  const sound = await verify(stack, journal)
  expect(sound.output).toMatch(/ok {3}the ledger equals the provider’s record[^]*Invariants: \d+ hold, 0 do not/)
  expect(sound.code).toBe(0)

  const placed = journal.find(({ kind }) => kind === 'bid')
  const lost = { ...placed!, id: '0197a5b0-0000-7000-8000-000000000000' }
  const unsound = await verify(stack, [...journal, lost])
  expect(unsound.output).toMatch(/FAIL no acknowledged write is lost\n {5}bid 0197a5b0/)
  expect(unsound.code).toBe(1)
}
