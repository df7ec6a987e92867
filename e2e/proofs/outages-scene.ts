import type { MarketplaceClient } from '@marketplace/dev/client.ts'
import {
  buyNow,
  listAuction,
  listFixedPrice,
  payByCard,
  signIn,
  type Intent,
  type Listing,
  type Transaction,
} from '../src/people.ts'
import { expect, type TestStack } from '../src/stack.ts'

/** What people were at when something went down: each feature has its own, so that none depends on another. */
export interface Scene {
  url: string
  seller: MarketplaceClient
  buyer: MarketplaceClient
  leaver: MarketplaceClient
  /** Fixed prices: to be read and offered for; to be bought; bought, to be confirmed; checked out, to be cancelled. */
  lamp: Listing
  chair: Listing
  paid: Intent
  left: Intent
  /** Auctions: bid on up to $12; with a buy-it-now; ended, won by the buyer. */
  watch: Listing
  clock: Listing
  won: Listing
  conversationId: string
  offerId: string
}

const anHour = 3_600_000

/** Everything works; it is laid out what the features will be asked about. */
export async function prepareScene({ url }: TestStack, nth: number): Promise<Scene> {
  const [seller, buyer, leaver] = await Promise.all(
    ['seller', 'buyer', 'leaver'].map((name) => signIn(url, `${name}-${nth}@example.com`)),
  )
  if (!seller || !buyer || !leaver) throw new Error('nobody signed in')
  const won = await listAuction(seller, `Won ${nth}`, { startingBid: 10, endsInMs: 6000 })
  await buyer.post('/api/bids', { listing_id: won.id, amount: 11 })
  const [lamp, chair, bought, returned] = await Promise.all(
    ['Lamp', 'Chair', 'Bought', 'Returned'].map((title) => listFixedPrice(seller, `${title} ${nth}`, 20)),
  )
  if (!lamp || !chair || !bought || !returned) throw new Error('nothing was listed')
  const watch = await listAuction(seller, `Watch ${nth}`, { startingBid: 10, endsInMs: anHour })
  await buyer.post('/api/bids', { listing_id: watch.id, amount: 12 })
  const clock = await listWithBuyItNow(seller, `Clock ${nth}`)
  const paid = await buyNow(buyer, bought.id)
  await payByCard(buyer, paid)
  const left = await buyNow(buyer, returned.id)
  const conversation = await buyer.post<{ id: string }>('/api/conversations', {
    listing_id: lamp.id,
    message_text: 'Is it still there?',
  })
  const offer = await buyer.post<{ id: string }>('/api/offers', { listing_id: chair.id, amount: 10, message: '' })
  const isDue = async () =>
    (await buyer.get<Transaction[]>('/api/transactions')).some(({ listing_id: id }) => id === won.id)
  await expect.poll(isDue, { timeout: 40_000 }).toBe(true)
  const ids = { conversationId: conversation.id, offerId: offer.id }
  return { url, seller, buyer, leaver, lamp, chair, paid, left, watch, clock, won, ...ids }
}

function listWithBuyItNow(seller: MarketplaceClient, title: string): Promise<Listing> {
  return seller.post('/api/listings', auctionOf(title, { buy_it_now_price: 50 }))
}

export function auctionOf(title: string, more: object = {}) {
  const end = new Date(Date.now() + anHour).toISOString()
  return { title, category_id: 1, is_auction: true, starting_bid: 10, auction_end_date: end, ...more }
}
