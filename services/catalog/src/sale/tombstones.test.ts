import { SaleType } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteExpiredTombstones } from './holds.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const insertTombstones = (count: number, listingId: string, days: number) =>
  harness.rows(
    `insert into holds (sale_id, listing_id, state, settled_at)
     select uuidv7(), $1, 'released', now() - $3::int * interval '1 day' from generate_series(1, $2::int) returning sale_id`,
    [listingId, count, days],
  )
const count = async () => (await harness.rows('select from holds')).length

describe('the sweep of tombstones', () => {
  it('deletes those that are older than 30 days, in batches of 1,000', async () => {
    await insertTombstones(1500, newId(), 31)
    await insertTombstones(3, newId(), 29)
    expect(await deleteExpiredTombstones(harness.db)).toBe(1000)
    expect(await deleteExpiredTombstones(harness.db)).toBe(500)
    expect(await deleteExpiredTombstones(harness.db)).toBe(0)
    expect(await count()).toBe(3)
  })

  it('keeps a younger tombstone, which still rejects the sale, and every hold of a buyer', async () => {
    const listingId = await harness.createListing()
    const [young] = await insertTombstones(1, listingId, 29)
    const held = { saleId: newId(), listingId: await harness.createListing(), buyerId: newId() }
    await harness.sales.hold({ ...held, saleType: SaleType.BUY_NOW })
    await harness.rows(
      `update holds set state = 'released', settled_at = now() - interval '40 days' where sale_id = $1`,
      [held.saleId],
    )
    expect(await deleteExpiredTombstones(harness.db)).toBe(0)
    const late = { saleId: String(young?.['sale_id']), listingId, buyerId: newId(), saleType: SaleType.BUY_NOW }
    expect((await harness.sales.hold(late)).answer).toMatchObject({ case: 'refused', value: { code: 'sale_over' } })
    expect(await harness.rows('select from holds where sale_id = $1', [held.saleId])).toHaveLength(1)
  })
})
