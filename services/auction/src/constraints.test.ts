import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from './testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const insertHold = (listingId: string, state: string) =>
  harness.rows(
    `insert into holds (sale_id, listing_id, buyer_id, sale_type, price, state, held_at, settled_at)
     values ($1, $2, $3, 'buy_now', 50000, $4, now(), case when $4 = 'held' then null else now() end)`,
    [newId(), listingId, newId(), state],
  )

// The code never writes these states. The database's constraints reject them in case a rule or a lock fails.
describe('the database', () => {
  it.each([
    ['held', 'held'],
    ['sold', 'held'],
    ['sold', 'sold'],
  ])('rejects a second live hold of a listing (%s and %s)', async (first, second) => {
    const listingId = await harness.openAuction({ buyItNowCents: 50_000 })
    await insertHold(listingId, first)
    await expect(insertHold(listingId, second)).rejects.toMatchObject({ constraint: 'holds_one_live' })
  })

  it('accepts a hold next to released ones', async () => {
    const listingId = await harness.openAuction({ buyItNowCents: 50_000 })
    for (const state of ['released', 'held', 'released']) await insertHold(listingId, state)
    expect(await harness.rows('select 1 from holds where listing_id = $1', [listingId])).toHaveLength(3)
  })

  it('rejects the seller as the leader of an auction', async () => {
    const listingId = await harness.openAuction()
    await harness.bid(listingId, 150)
    await expect(
      harness.rows('update auctions set leader_id = seller_id where listing_id = $1', [listingId]),
    ).rejects.toMatchObject({ constraint: 'auctions_leader_is_not_seller' })
  })
})
