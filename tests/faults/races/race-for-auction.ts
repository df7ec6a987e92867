import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Intent, Listing } from '../../support/processes/people.ts'
import { expect } from '../../support/processes/stack.ts'
import {
  charge,
  retryWhileUnavailable,
  settle,
  outcomeOf,
  type Racers,
  type Round,
  type RaceResponse,
} from './race-rounds.ts'

const shortestMs = 2500

interface Bid {
  id: string
  amount: number
  current_bid: number
  bid_count: number
}

/**
 * Around the end of an auction, Carol buys now, Alice and Bob bid up to the price, and every process is about to close
 * it.
 */
export async function raceForAuction({ seller, alice, bob, carol }: Racers, round: Round): Promise<string> {
  const { item, endsAt } = await openAuction({ seller, alice }, round)
  const place = (bidder: MarketplaceClient, amount: number) =>
    bid(bidder, { listingId: item.id, amount, endsAt, round })

  await sleep(endsAt - 1000 + (round.nth % 10) * 105 - Date.now())
  // In some rounds the checkout starts first, in some the bid that reaches the price.
  const early = round.nth % 4 === 1 ? await buyNow(carol, item) : undefined
  const bidding = [place(alice, 160), place(bob, 500), place(alice, 510)]
  if (round.nth % 4 === 0) await Promise.race(bidding)
  const buying = Promise.resolve(early ?? buyNow(carol, item)).then((checkout) => pay(carol, item, { checkout, round }))
  const [isBought, ...placed] = await Promise.all([buying, ...bidding])
  for (const outcome of placed) expect(['201', '409 bid_too_low', '409 auction_ended']).toContain(outcome)
  await expect
    .poll(async () => (await seller.send<Listing>('GET', `/api/listings/${item.id}`)).body, { intervals: [100] })
    .toMatchObject({ is_active: false })
  return isBought ? 'bought at once' : 'won'
}

// Opens an auction with a first bid. On a slow machine it can end before the race begins; the next attempt lasts
// longer.
async function openAuction(
  { seller, alice }: Pick<Racers, 'seller' | 'alice'>,
  round: Round,
): Promise<{ item: Listing; endsAt: number }> {
  for (let lastsMs = shortestMs; ; lastsMs *= 2) {
    const endsAt = Date.now() + lastsMs
    const { status, body: item } = await seller.send<Listing>('POST', '/api/listings', {
      title: `Watch of round ${round.nth}`,
      is_auction: true,
      starting_bid: 100,
      buy_it_now_price: 500,
      auction_end_date: new Date(endsAt).toISOString(),
      category_id: 1,
    })
    if (status !== 201) continue
    const isBidOn = (await bid(alice, { listingId: item.id, amount: 150, endsAt, round })) === '201'
    if (isBidOn && Date.now() < endsAt - 500) return { item, endsAt }
  }
}

async function bid(
  bidder: MarketplaceClient,
  { listingId, amount, endsAt, round }: { listingId: string; amount: number; endsAt: number; round: Round },
): Promise<string> {
  const startedAt = Date.now()
  const response = await retryWhileUnavailable<Bid>(() =>
    bidder.send('POST', '/api/bids', { listing_id: listingId, amount }),
  )
  const { id, amount: accepted, current_bid: currentBid, bid_count: bidCount } = response.body
  const times = { startedAt, endedAt: Date.now() }
  if (response.status === 201)
    round.journal.push({ kind: 'bid', id, listingId, amount: accepted, currentBid, bidCount, endsAt, ...times })
  return outcomeOf(response)
}

function buyNow(carol: MarketplaceClient, item: Listing): Promise<RaceResponse<Intent>> {
  return retryWhileUnavailable<Intent>(() => carol.send('POST', `/api/auctions/${item.id}/buy-now`, {}))
}

/** Pays and returns whether the purchase succeeded: closing cancels a checkout that is not paid yet. */
async function pay(
  carol: MarketplaceClient,
  item: Listing,
  { checkout, round }: { checkout: RaceResponse<Intent>; round: Round },
): Promise<boolean> {
  if (checkout.status !== 201) {
    expect(['409 auction_ended', '409 not_buyable', '409 reserved']).toContain(outcomeOf(checkout))
    return false
  }
  const isCharged = await charge(carol, checkout.body)
  const confirmed = await settle(carol, 'confirm', checkout.body)
  expect(outcomeOf(confirmed)).toBe(isCharged ? '200' : '409 not_paid')
  if (isCharged) round.note('paid', checkout.body, item.id)
  return isCharged
}
