import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setStage, watch, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => {
  stage.auctions.before.open = async () => undefined
})
afterAll(() => stage.close())

type Notice = 'bid 1' | 'bid 2' | 'bid 3' | 'closed'

const closedAt = new Date('2026-01-01T00:00:00Z')

function tell(listingId: string, notice: Notice): Promise<void> {
  if (notice === 'closed') {
    const terms = { listingId, sellerId: stage.seller.userId, priceCents: 13_000 }
    const closing = { listingId, outcome: AuctionOutcome.WON, number: 5n, closedAt: timestampFromDate(closedAt) }
    return stage.deliver(AuctionClosedSchema, { ...closing, bidCount: 3, terms })
  }
  const bidCount = Number(notice.at(-1))
  const amountCents = 10_000 + bidCount * 1000
  return stage.deliver(BidPlacedSchema, { listingId, amountCents, bidCount, number: BigInt(bidCount + 1) })
}

function* ordersOf<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield []
  for (const [index, item] of items.entries()) {
    for (const rest of ordersOf(items.toSpliced(index, 1))) yield [item, ...rest]
  }
}

async function stateOf(listingId: string) {
  const [row] = await stage.rows(
    `select is_active, version, current_bid_cents, bid_count, closed_at,
       (select count(*)::int from outbox where key = listings.id::text) as events
     from listings join auction_states on listing_id = id where id = $1`,
    [listingId],
  )
  return row
}

const ended = { is_active: false, current_bid_cents: 13_000, bid_count: 3, closed_at: closedAt }

describe('what the auction service tells', () => {
  it('leaves the same state in any order, each notice twice', async () => {
    for (const order of ordersOf<Notice>(['bid 1', 'bid 2', 'bid 3', 'closed'])) {
      const id = await stage.auction()
      for (const notice of [...order, ...order.toReversed()]) await tell(id, notice)
      expect([order, await stateOf(id)]).toEqual([order, { ...ended, version: 2, events: 2 }])
    }
  })

  it('is kept when it comes before the listing', async () => {
    stage.auctions.before.open = async () => {
      const id = stage.auctions.opened.at(-1)?.terms?.listingId ?? ''
      await tell(id, 'bid 3')
      await tell(id, 'closed')
    }
    const { status, body } = await stage.post(watch())
    expect([status, body['is_active']]).toEqual([201, false])
    expect(await stateOf(String(body['id']))).toEqual({ ...ended, version: 1, events: 1 })
  })

  it('ends every listing whose auction closes while it is being stored', async () => {
    const told: Promise<void>[] = []
    stage.auctions.before.open = async () => {
      const id = stage.auctions.opened.at(-1)?.terms?.listingId ?? ''
      told.push(new Promise((done) => setTimeout(done, Math.random() * 20)).then(() => tell(id, 'closed')))
    }
    const ids = await Promise.all(Array.from({ length: 40 }, () => stage.auction()))
    await Promise.all(told)
    const states = await Promise.all(ids.map(stateOf))
    expect(states.filter((state) => state?.['is_active'] !== false)).toEqual([])
  })

  it('tells the end as a change of the listing', async () => {
    const id = await stage.auction()
    await tell(id, 'closed')
    const [, changed] = await stage.rows('select type, version, payload from outbox where key = $1 order by seq', [id])
    expect(changed).toMatchObject({
      type: 'marketplace.catalog.v1.ListingChanged',
      version: 2,
      payload: { listing: { id, version: '2', isAuction: true } },
    })
    expect(changed?.['payload']).not.toHaveProperty('listing.isActive')
  })
})
