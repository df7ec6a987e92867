import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import { run } from '@marketplace/dev/run.ts'
import { expect, test, type TestStack } from '../src/stack.ts'
import { expectNoFindings, faultStack, underLoad } from './faults.ts'

test.use({ stackOptions: faultStack })

const kinds = ['listing', 'bid', 'intent', 'paid', 'cancelled', 'offer', 'message', 'mark-read', 'saw', 'unread']

async function verify({ adminUrl, dataDir, secrets, services }: TestStack, journal: readonly JournalEntry[]) {
  const JOURNAL = join(dataDir, 'journal.jsonl')
  writeFileSync(JOURNAL, journal.map((entry) => JSON.stringify(entry)).join('\n'))
  const stripe = { STRIPE_SECRET_KEY: secrets.stripeSecretKey, STRIPE_API_BASE: services.cards.url }
  const env = { DATABASE_URL: adminUrl, ...stripe, JOURNAL }
  return run('node', ['dev/src/verify-invariants.ts'], { env })
}

test('under load alone every invariant holds, and verify-invariants says so', { tag: '@long' }, async ({ stack }) => {
  const load = await underLoad(stack, () => new Promise((done) => setTimeout(done, 12_000)))
  await expectNoFindings(stack, load)
  // A load that leaves something out would find nothing there.
  expect([...new Set(load.journal.map(({ kind }) => kind))].toSorted()).toEqual(kinds.toSorted())

  const sound = await verify(stack, load.journal)
  expect(sound.output).toMatch(/ok {3}the ledger equals the provider’s record[^]*Invariants: \d+ hold, 0 do not/)
  expect(sound.code).toBe(0)

  const placed = load.journal.find(({ kind }) => kind === 'bid')
  const lost = { ...placed!, id: '0197a5b0-0000-7000-8000-000000000000' }
  const unsound = await verify(stack, [...load.journal, lost])
  expect(unsound.output).toMatch(/FAIL no acknowledged write is lost\n {5}bid 0197a5b0/)
  expect(unsound.code).toBe(1)
})
