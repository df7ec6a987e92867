import type { MarketplaceClient } from '@marketplace/dev/client.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Intent, Listing } from '../src/people.ts'
import { expect } from '../src/stack.ts'
import { charge, patiently, settle, told, type Racers, type Round, type Told } from './race-rounds.ts'

const shortestMs = 2500

interface Bid {
  id: string
  amount: number
  current_bid: number
  bid_count: number
}

/** Around the end Carol buys at once, Alice and Bob bid up to the price, and every process is about to close. */
export async function endOneAuction({ seller, alice, bob, carol }: Racers, round: Round): Promise<string> {
  const { watch, endsAt } = await openAuction({ seller, alice }, round)
  const place = (bidder: MarketplaceClient, amount: number) =>
    bid(bidder, { listingId: watch.id, amount, endsAt, round })

  await sleep(endsAt - 1000 + (round.nth % 10) * 105 - Date.now())
  // In some rounds the checkout has a head start, in some the bid that reaches the price.
  const early = round.nth % 4 === 1 ? await askAtOnce(carol, watch) : undefined
  const bidding = [place(alice, 160), place(bob, 500), place(alice, 510)]
  if (round.nth % 4 === 0) await Promise.race(bidding)
  const buying = Promise.resolve(early ?? askAtOnce(carol, watch)).then((asked) => pay(carol, watch, { asked, round }))
  const [isBought, ...placed] = await Promise.all([buying, ...bidding])
  for (const answer of placed) expect(['201', '409 bid_too_low', '409 auction_ended']).toContain(answer)
  await expect
    .poll(async () => (await seller.send<Listing>('GET', `/api/listings/${watch.id}`)).body, { intervals: [100] })
    .toMatchObject({ is_active: false })
  return isBought ? 'bought at once' : 'won'
}

// With a first bid. On a slow machine one may be over before it has begun: the next one lasts longer.
async function openAuction(
  { seller, alice }: Pick<Racers, 'seller' | 'alice'>,
  round: Round,
): Promise<{ watch: Listing; endsAt: number }> {
  for (let lastsMs = shortestMs; ; lastsMs *= 2) {
    const endsAt = Date.now() + lastsMs
    const { status, body: watch } = await seller.send<Listing>('POST', '/api/listings', {
      title: `Watch of round ${round.nth}`,
      is_auction: true,
      starting_bid: 100,
      buy_it_now_price: 500,
      auction_end_date: new Date(endsAt).toISOString(),
      category_id: 1,
    })
    if (status !== 201) continue
    const isBidOn = (await bid(alice, { listingId: watch.id, amount: 150, endsAt, round })) === '201'
    if (isBidOn && Date.now() < endsAt - 500) return { watch, endsAt }
  }
}

async function bid(
  bidder: MarketplaceClient,
  { listingId, amount, endsAt, round }: { listingId: string; amount: number; endsAt: number; round: Round },
): Promise<string> {
  const startedAt = Date.now()
  const answer = await patiently<Bid>(() => bidder.send('POST', '/api/bids', { listing_id: listingId, amount }))
  const { id, amount: accepted, current_bid: currentBid, bid_count: bidCount } = answer.body
  const asked = { startedAt, endedAt: Date.now() }
  if (answer.status === 201)
    round.journal.push({ kind: 'bid', id, listingId, amount: accepted, currentBid, bidCount, endsAt, ...asked })
  return told(answer)
}

function askAtOnce(carol: MarketplaceClient, watch: Listing): Promise<Told<Intent>> {
  return patiently<Intent>(() => carol.send('POST', `/api/auctions/${watch.id}/buy-now`, {}))
}

/** Answers whether she has it: the close cancels a checkout that is not paid yet. */
async function pay(
  carol: MarketplaceClient,
  watch: Listing,
  { asked, round }: { asked: Told<Intent>; round: Round },
): Promise<boolean> {
  if (asked.status !== 201) {
    expect(['409 auction_ended', '409 not_buyable', '409 reserved']).toContain(told(asked))
    return false
  }
  const isCharged = await charge(carol, asked.body)
  const confirmed = await settle(carol, 'confirm', asked.body)
  expect(told(confirmed)).toBe(isCharged ? '200' : '409 not_paid')
  if (isCharged) round.note('paid', asked.body, watch.id)
  return isCharged
}
