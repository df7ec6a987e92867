import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import {
  buyNow,
  listAuction,
  listFixedPrice,
  payByCard,
  signIn,
  type Intent,
  type Listing,
  type Transaction,
} from '../../support/processes/people.ts'
import { expect, type TestStack } from '../../support/processes/stack.ts'

/** The records that the features act on. Each feature has its own, so that none depends on another. */
export interface OutageRecords {
  url: string
  seller: MarketplaceClient
  buyer: MarketplaceClient
  leaver: MarketplaceClient
  /**
   * Fixed prices: `lamp` is read and offered for, `chair` is for sale, `paid` is charged and not confirmed, `left` is
   * checked out.
   */
  lamp: Listing
  chair: Listing
  paid: Intent
  left: Intent
  /** Auctions: `watch` has a bid of $12, `clock` has a buy-it-now price, `won` was won by the buyer. */
  watch: Listing
  clock: Listing
  won: Listing
  conversationId: string
  offerId: string
}

const anHour = 3_600_000

/** Creates the records while everything works. */
export async function prepareRecords({ url }: TestStack, nth: number): Promise<OutageRecords> {
  const [seller, buyer, leaver] = await Promise.all(
    ['seller', 'buyer', 'leaver'].map((name) => signIn(url, `${name}-${nth}@example.com`)),
  )
  if (!seller || !buyer || !leaver) throw new Error('no user is signed in')
  const won = await listAuction(seller, `Won ${nth}`, { startingBid: 10, endsInMs: 6000 })
  await buyer.post('/api/bids', { listing_id: won.id, amount: 11 })
  const [lamp, chair, bought, returned] = await Promise.all(
    ['Lamp', 'Chair', 'Bought', 'Returned'].map((title) => listFixedPrice(seller, `${title} ${nth}`, 20)),
  )
  if (!lamp || !chair || !bought || !returned) throw new Error('no item was listed')
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
  const isPaymentDue = async () =>
    (await buyer.get<Transaction[]>('/api/transactions')).some(({ listing_id: id }) => id === won.id)
  await expect.poll(isPaymentDue, { timeout: 40_000 }).toBe(true)
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
