import { expect } from 'vitest'
import type { Harness } from './harness.ts'
import type { ApiResponse } from './post-bid.ts'

export interface StoredEvent {
  type: string
  number: number
  payload: Record<string, unknown>
}

/** Returns an auction's events in the order in which they were stored. */
export async function readEvents(harness: Harness, listingId: string): Promise<StoredEvent[]> {
  const rows = await harness.rows('select type, version, payload from outbox where key = $1 order by seq', [listingId])
  return rows.map((row) => ({
    type: String(row['type']).split('.').at(-1) ?? '',
    number: Number(row['version']),
    payload: Object(row['payload']),
  }))
}

export async function readHolds(harness: Harness, listingId: string): Promise<Record<string, unknown>[]> {
  const text = 'select sale_id, buyer_id, sale_type, price, state from holds where listing_id = $1 order by held_at'
  return harness.rows(text, [listingId])
}

export function bodiesWithStatus(responses: readonly ApiResponse[], status: number): Record<string, unknown>[] {
  return responses.filter((response) => response.status === status).map((response) => response.body)
}

/** Asserts that rows and events match the responses: every 201 is stored, amounts rise, event numbers have no gap. */
export async function expectAcknowledged(
  harness: Harness,
  listingId: string,
  responses: readonly ApiResponse[],
): Promise<void> {
  const accepted = bodiesWithStatus(responses, 201).toSorted((a, b) => Number(a['bid_count']) - Number(b['bid_count']))
  const amounts = accepted.map((bid) => Number(bid['amount']))
  expect(amounts).toEqual([...new Set(amounts)].toSorted((left, right) => left - right))
  expect(accepted.map((bid) => bid['bid_count'])).toEqual(accepted.map((_, index) => index + 1))
  expect(accepted.every((bid) => bid['is_winning'] === true && bid['current_bid'] === bid['amount'])).toBe(true)
  const bids = await harness.rows('select id, amount from bids where listing_id = $1 order by number', [listingId])
  expect(bids).toEqual(accepted.map(({ id, amount }) => ({ id, amount })))
  const [auction] = await harness.rows(
    'select current_bid, bid_count, leading_bid_id from auctions where listing_id = $1',
    [listingId],
  )
  const last = accepted.at(-1)
  expect(auction).toEqual({
    current_bid: last?.['amount'] ?? null,
    bid_count: accepted.length,
    leading_bid_id: last?.['id'] ?? null,
  })
  const events = await readEvents(harness, listingId)
  expect(events.map((event) => event.number)).toEqual(events.map((_, index) => index + 1))
  const placed = events.filter((event) => event.type === 'BidPlaced')
  expect(placed.map((event) => event.payload['amountCents'])).toEqual(amounts)
}

/** Asserts that no bid was accepted late, the auction was closed once, and its holds fit the outcome. Returns its row. */
export async function expectClosedOnce(harness: Harness, listingId: string): Promise<Record<string, unknown>> {
  const [auction] = await harness.rows(
    `select state, outcome, bid_count, current_bid, leader_id,
       (select count(*)::int from bids where listing_id = $1 and placed_at >= least(end_at, closed_at)) as late_bids,
       closed_at <= end_at + interval '10 seconds' as soon
     from auctions where listing_id = $1`,
    [listingId],
  )
  expect(auction).toMatchObject({ state: 'closed', late_bids: 0 })
  const events = (await readEvents(harness, listingId)).map((event) => event.type)
  expect(events.filter((type) => type === 'AuctionClosed')).toHaveLength(1)
  expect(events.filter((type) => type === 'AuctionEnded').length).toBeLessThanOrEqual(1)
  expect(events.lastIndexOf('BidPlaced')).toBeLessThan(events.findIndex((type) => type !== 'BidPlaced'))
  const live = (await readHolds(harness, listingId)).filter((hold) => hold['state'] !== 'released')
  const { outcome, leader_id: leader, current_bid: price } = auction ?? {}
  if (outcome === 'won')
    expect(live).toEqual([expect.objectContaining({ sale_type: 'auction_win', buyer_id: leader, price })])
  else if (outcome === 'buy_now')
    expect(live).toEqual([expect.objectContaining({ sale_type: 'buy_now', state: 'sold' })])
  else expect(live).toEqual([])
  return auction ?? {}
}
