import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from './testing/harness.ts'
import { createOffer } from './testing/offers.ts'

// Postgres' error code of a violated CHECK.
const checkViolation = '23514'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const insertHold = (listingId: string, state: string) =>
  harness.rows(
    `insert into holds (sale_id, listing_id, state, buyer_id, seller_id, price_cents, shipping_cents, title, image_url)
     values ($1, $2, $3, $4, $5, 2499, 0, 'A lamp', '')`,
    [newId(), listingId, state, newId(), newId()],
  )
const updateListing = (id: string, assignment: string) =>
  harness.rows(`update listings set ${assignment} where id = $1`, [id])

// The code never writes these states. The database's constraints reject them in case a rule or a lock fails.
describe('the database rejects', () => {
  it.each([
    ['held', 'held'],
    ['sold', 'held'],
    ['sold', 'sold'],
  ])('a second live hold of a listing (%s and %s), and accepts released ones', async (first, second) => {
    const listingId = await harness.createListing()
    await insertHold(listingId, 'released')
    await insertHold(listingId, first)
    await expect(insertHold(listingId, second)).rejects.toMatchObject({ constraint: 'holds_live' })
    await insertHold(listingId, 'released')
  })

  it.each([
    'starting_bid_cents = 100',
    `auction_end_at = clock_timestamp() + interval '1 day'`,
    'buy_it_now_cents = 9900',
    'original_price_cents = 9900',
  ])('a fixed-price listing with %s', async (assignment) => {
    const id = await harness.createListing()
    await expect(updateListing(id, assignment)).rejects.toMatchObject({ code: checkViolation, table: 'listings' })
  })

  it.each([
    'starting_bid_cents = price_cents + 1',
    'auction_end_at = null',
    'buy_it_now_cents = starting_bid_cents',
    'accept_offers = true',
    'is_on_sale = true',
  ])('an auction with %s', async (assignment) => {
    const id = await harness.createAuction({ buy_it_now_price: 500 })
    await expect(updateListing(id, assignment)).rejects.toMatchObject({ code: checkViolation, table: 'listings' })
  })

  it('an offer whose buyer is the seller', async () => {
    const offerId = await createOffer(harness, await harness.createListing(), randomUser())
    await expect(harness.rows('update offers set buyer_id = seller_id where id = $1', [offerId])).rejects.toMatchObject(
      { code: checkViolation, table: 'offers' },
    )
  })
})
