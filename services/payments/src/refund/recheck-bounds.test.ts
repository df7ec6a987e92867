import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { insertPastSales } from '../testing/past-sales.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.stop())

const hourMs = 3_600_000

/** Runs the first sweep of a process, whose next sweep is an hour later, until the provider received this many reads. */
async function sweepOnce(reads: number): Promise<void> {
  const service = await harness.start({ SWEEP_INTERVAL_MS: hourMs })
  await eventually(() => countReads() >= reads)
  // Waits for the running sweeps. One that did not wait for the interval would have started others.
  await eventually(async () => (await service.internalApp.inject('/metrics')).statusCode === 200)
  await harness.close(service)
}

const countReads = () => harness.cards.requests.filter(({ path }) => path.includes('payment_intent=')).length

async function insertPaidSales(count: number): Promise<string[]> {
  return insertPastSales(harness, { buyerId: newId(), sellerId: newId(), count, state: 'paid', type: 'buy_now' })
}

async function count(query: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  return (await query.execute(harness.db)).rows[0]?.count ?? -1
}

describe('the background reads of a process', () => {
  it('are those of 3 sales and of 1 dispute per sweep, however many are due', async () => {
    const saleIds = await insertPaidSales(200)
    await sql`update transactions set recheck_at = clock_timestamp()`.execute(harness.db)
    await sql`
      insert into disputes (id, sale_id, amount_cents, reason, state, next_at)
      select 'du_' || id, id, 2549, 'fraudulent', 'needs_response', clock_timestamp()
      from unnest(${saleIds}::uuid[]) as id`.execute(harness.db)
    await sql`update transactions set is_disputed = true`.execute(harness.db)
    await sweepOnce(8)
    expect(countReads()).toBe(8)
    expect(await count(sql`select count(*) from transactions where rechecks > 0`)).toBe(3)
    expect(await count(sql`select count(*) from disputes where next_at > clock_timestamp()`)).toBe(1)
  })
})
