import { plansOf } from '@marketplace/kit/db/query-plans.fixture.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy } from '../../testing/calls.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { statesOf } from '../../testing/ledger.ts'
import { insertPastSales, type PastSales } from '../../testing/past-sales.ts'
import { deleteOldCheckouts } from './old-checkouts.repo.ts'

let harness: Harness

// No service is started, because its sweep would delete the checkouts too.
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.stop())

const released = { buyerId: newId(), sellerId: newId(), count: 1, state: 'released', type: 'buy_now' } as const

/** Inserts sales whose last change was this many days ago. By default one released checkout without an intent. */
async function insertAged(days: number, sales: Partial<PastSales> = {}): Promise<string[]> {
  const ids = await insertPastSales(harness, { ...released, ...sales })
  await sql`update transactions set updated_at = now() - ${days} * interval '1 day' where id = any(${ids})`.execute(
    harness.db,
  )
  return ids
}

describe('released checkouts without an intent', () => {
  it('are deleted after 30 days, 500 at a time', async () => {
    await insertAged(31, { count: 501 })
    const [withIntent, parked] = [await insertAged(31), await insertAged(31)]
    await sql`update transactions set intent_id = 'pi_released' where id = any(${withIntent})`.execute(harness.db)
    await sql`update transactions set mismatched_at = now() where id = any(${parked})`.execute(harness.db)
    const kept = [
      withIntent,
      parked,
      await insertAged(29),
      await insertAged(31, { type: 'auction_win' }),
      await insertAged(31, { state: 'paid' }),
    ]
    expect(await deleteOldCheckouts(harness.db)).toBe(500)
    expect(await deleteOldCheckouts(harness.db)).toBe(1)
    expect(await deleteOldCheckouts(harness.db)).toBe(0)
    const left = await harness.db.selectFrom('transactions').select('id').orderBy('id').execute()
    expect(left.map(({ id }) => id)).toEqual(kept.flat().toSorted())
  })

  it('are deleted when the inventory service had refused the item', async () => {
    const { listingId } = harness.catalog.addItem({ rejection: 'inactive' })
    expect(await buy(harness, harness.open(), randomUser(), listingId)).toMatchObject({ status: 409 })
    await sql`update transactions set updated_at = now() - interval '31 days' where listing_id = ${listingId}`.execute(
      harness.db,
    )
    expect(await deleteOldCheckouts(harness.db)).toBe(1)
    expect(await statesOf(harness, listingId)).toEqual([])
  })

  it('are found by their index', async () => {
    const plans = await plansOf(harness.db, (trx) => deleteOldCheckouts(trx))
    expect(plans.join('\n')).toContain('transactions_old_checkouts')
  })
})
