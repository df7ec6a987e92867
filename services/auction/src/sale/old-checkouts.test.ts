import { plansOf } from '@marketplace/kit/db/query-plans.fixture.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteOldCheckouts } from './holds.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

describe('the holds of released checkouts', () => {
  it('are deleted after 30 days, 1,000 at a time', async () => {
    const listingId = await harness.openAuction()
    const insert = (count: number, days: number, [saleType, state] = ['buy_now', 'released']) =>
      harness.rows(
        `insert into holds (sale_id, listing_id, buyer_id, sale_type, price, state, due_at, held_at, settled_at)
         select uuidv7(), $1, uuidv7(), $4::text, 100, $5::text, case $4::text when 'auction_win' then now() end,
           now() - interval '60 days', now() - $3::int * interval '1 day' from generate_series(1, $2::int)`,
        [listingId, count, days, saleType, state],
      )
    await insert(1001, 31)
    await insert(1, 29)
    await insert(1, 31, ['auction_win', 'released'])
    await insert(1, 31, ['buy_now', 'sold'])
    const { db } = harness.first.ctx
    expect(await deleteOldCheckouts(db)).toBe(1000)
    expect(await deleteOldCheckouts(db)).toBe(1)
    expect(await deleteOldCheckouts(db)).toBe(0)
    const text = 'select sale_type, state from holds where listing_id = $1 order by 1, 2'
    expect(await harness.rows(text, [listingId])).toEqual([
      { sale_type: 'auction_win', state: 'released' },
      { sale_type: 'buy_now', state: 'released' },
      { sale_type: 'buy_now', state: 'sold' },
    ])
  })

  it('are found by their index', async () => {
    const plans = await plansOf(harness.first.ctx.db, (trx) => deleteOldCheckouts(trx))
    expect(plans.join('\n')).toContain('holds_old_checkouts')
  })
})
