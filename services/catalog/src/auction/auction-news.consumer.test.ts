import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, watch, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterEach(() => {
  harness.auctions.before.open = async () => undefined
})
afterAll(() => harness.close())

type Update = 'bid 1' | 'bid 2' | 'bid 3' | 'closed'

const closedAt = new Date('2026-01-01T00:00:00Z')

function applyUpdate(listingId: string, update: Update): Promise<void> {
  if (update === 'closed') {
    const terms = { listingId, sellerId: harness.seller.userId, priceCents: 13_000 }
    const closing = { listingId, outcome: AuctionOutcome.WON, number: 5n, closedAt: timestampFromDate(closedAt) }
    return harness.applyEvent(AuctionClosedSchema, { ...closing, bidCount: 3, terms })
  }
  const bidCount = Number(update.at(-1))
  const amountCents = 10_000 + bidCount * 1000
  return harness.applyEvent(BidPlacedSchema, { listingId, amountCents, bidCount, number: BigInt(bidCount + 1) })
}

function* permutationsOf<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield []
  for (const [index, item] of items.entries()) {
    for (const rest of permutationsOf(items.toSpliced(index, 1))) yield [item, ...rest]
  }
}

async function stateOf(listingId: string) {
  const [row] = await harness.rows(
    `select is_active, version, current_bid_cents, bid_count, closed_at,
       (select count(*)::int from outbox where key = listings.id::text) as events
     from listings join auction_states on listing_id = id where id = $1`,
    [listingId],
  )
  return row
}

const finalState = { is_active: false, current_bid_cents: 13_000, bid_count: 3, closed_at: closedAt }

describe('updates from the auction service', () => {
  it('lead to the same state in any order when each is applied twice', async () => {
    for (const order of permutationsOf<Update>(['bid 1', 'bid 2', 'bid 3', 'closed'])) {
      const id = await harness.createAuction()
      for (const update of [...order, ...order.toReversed()]) await applyUpdate(id, update)
      expect([order, await stateOf(id)]).toEqual([order, { ...finalState, version: 2, events: 2 }])
    }
  })

  it('are stored when they arrive before the listing', async () => {
    harness.auctions.before.open = async () => {
      const id = harness.auctions.opened.at(-1)?.terms?.listingId ?? ''
      await applyUpdate(id, 'bid 3')
      await applyUpdate(id, 'closed')
    }
    const { status, body } = await harness.postListing(watch())
    expect([status, body['is_active']]).toEqual([201, false])
    expect(await stateOf(String(body['id']))).toEqual({ ...finalState, version: 1, events: 1 })
  })

  it('make every listing inactive whose auction closes while the listing is being stored', async () => {
    const pending: Promise<void>[] = []
    harness.auctions.before.open = async () => {
      const id = harness.auctions.opened.at(-1)?.terms?.listingId ?? ''
      pending.push(new Promise((done) => setTimeout(done, Math.random() * 20)).then(() => applyUpdate(id, 'closed')))
    }
    const ids = await Promise.all(Array.from({ length: 40 }, () => harness.createAuction()))
    await Promise.all(pending)
    const states = await Promise.all(ids.map(stateOf))
    expect(states.filter((state) => state?.['is_active'] !== false)).toEqual([])
  })

  it('publish the end of an auction as a change of its listing', async () => {
    const id = await harness.createAuction()
    await applyUpdate(id, 'closed')
    const [, changed] = await harness.rows('select type, version, payload from outbox where key = $1 order by seq', [
      id,
    ])
    expect(changed).toMatchObject({
      type: 'marketplace.catalog.v1.ListingChanged',
      version: 2,
      payload: { listing: { id, version: '2', isAuction: true } },
    })
    expect(changed?.['payload']).not.toHaveProperty('listing.isActive')
  })
})
