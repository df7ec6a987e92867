import { randomUUID } from 'node:crypto'
import type { Listing } from '../src/people.ts'
import { buyItNow, buyNow, payWhatIsDue } from './load-purchases.ts'
import type { Person } from './enter.ts'
import { isOpen, type KnownListing, type Market } from './market.ts'

export type Action = (market: Market, person: Person) => Promise<unknown>

interface Bid {
  id: string
  amount: number
  current_bid: number
  bid_count: number
  auction_end_date: string
}

interface Offer {
  id: string
  listing_id: string
  amount: number
  status: string
  made_by: 'buyer' | 'seller'
  buyer_id: string
}

async function listFixedPrice(market: Market, person: Person): Promise<void> {
  const price = market.integer(100, 30_000)
  const body = {
    title: `Lamp ${market.integer(1, 999)}`,
    price: price / 100,
    shipping_cost: market.integer(0, 900) / 100,
    category_id: market.integer(1, 12),
    accept_offers: true,
  }
  const listing = await market.write<Listing>(person, ['POST', '/api/listings', body], ({ id }) => ({
    kind: 'listing',
    id,
    price,
  }))
  if (listing) market.listings.push({ id: listing.id, sellerId: person.id, isAuction: false, endsAt: 0, price })
}

async function listAuction(market: Market, person: Person): Promise<void> {
  const price = market.integer(100, 2000)
  const endsAt = Date.now() + market.integer(1500, 6000)
  const body = {
    title: `Watch ${market.integer(1, 999)}`,
    is_auction: true,
    starting_bid: price / 100,
    auction_end_date: new Date(endsAt).toISOString(),
    category_id: market.integer(1, 12),
    ...(market.random() < 0.5 ? { buy_it_now_price: (price + market.integer(2000, 20_000)) / 100 } : {}),
  }
  const listing = await market.write<Listing>(person, ['POST', '/api/listings', body], ({ id }) => ({
    kind: 'listing',
    id,
    price,
  }))
  if (listing) market.listings.push({ id: listing.id, sellerId: person.id, isAuction: true, endsAt, price })
}

async function bid(market: Market, person: Person): Promise<void> {
  const listing = market.find(person, isOpen)
  if (!listing) return listAuction(market, person)
  const amount = listing.price + market.integer(1, 300)
  const placed = await market.write<Bid>(
    person,
    ['POST', '/api/bids', { listing_id: listing.id, amount: amount / 100 }],
    (answer) => acknowledgedBid(listing, answer),
  )
  listing.price = Math.max(listing.price, placed?.current_bid ?? amount)
}

/** With a key, sent again until it is answered: then it counts once, however often it arrived. */
async function bidWithKey(market: Market, person: Person): Promise<void> {
  const listing = market.find(person, isOpen)
  if (!listing) return
  const headers = {
    cookie: person.client.cookieHeader(),
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  const amount = listing.price + market.integer(1, 300)
  const body = JSON.stringify({ listing_id: listing.id, amount: amount / 100 })
  // The answer may be a repeated one: its place in the order is that of the first try.
  const startedAt = Date.now()
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await fetch(new URL('/api/bids', person.client.base), { method: 'POST', headers, body }).catch(
      () => undefined,
    )
    market.note(`POST /api/bids with a key ${answer?.status ?? 0}`)
    if (answer?.status === 201) {
      const placed: Bid = await answer.json()
      market.journal.push({ ...acknowledgedBid(listing, placed), startedAt, endedAt: Date.now() })
    }
    if (answer && answer.status < 500) return
  }
}

function acknowledgedBid(listing: KnownListing, placed: Bid) {
  return {
    kind: 'bid' as const,
    id: placed.id,
    listingId: listing.id,
    amount: placed.amount,
    currentBid: placed.current_bid,
    bidCount: placed.bid_count,
    endsAt: Date.parse(placed.auction_end_date),
  }
}

async function look(market: Market, person: Person): Promise<void> {
  const listing = market.find(person, isOpen)
  if (!listing) return
  const startedAt = Date.now()
  const { status, headers, body } = await person.client.send<Listing>('GET', `/api/listings/${listing.id}`)
  if (status !== 200) return
  const { current_bid: currentBid, bid_count: bidCount } = body
  const isStale = headers.has('x-stale')
  market.journal.push({
    kind: 'saw',
    listingId: listing.id,
    currentBid,
    bidCount,
    isStale,
    startedAt,
    endedAt: Date.now(),
  })
  listing.price = Math.max(listing.price, currentBid ?? 0)
}

async function offer(market: Market, person: Person): Promise<void> {
  const listing = market.find(person, ({ isAuction }) => !isAuction)
  if (!listing) return
  const body = { listing_id: listing.id, amount: market.integer(50, listing.price) / 100, message: 'Would you?' }
  await market.write<Offer>(person, ['POST', '/api/offers', body], ({ id, amount }) => ({
    kind: 'offer',
    id,
    listingId: listing.id,
    amount,
  }))
}

async function answerOffer(market: Market, person: Person): Promise<void> {
  const offers = await person.client.get<Offer[]>('/api/offers')
  const open = offers.find(
    ({ status, made_by: by, buyer_id: buyer }) => status === 'pending' && (by === 'buyer') !== (buyer === person.id),
  )
  if (!open) return
  const answer = market.random() < 0.6 ? 'accept' : 'reject'
  await market.write<Offer>(person, ['POST', `/api/offers/${open.id}/${answer}`, {}], () => undefined)
}

async function write(market: Market, person: Person): Promise<void> {
  const listing = market.find(person, () => true)
  if (!listing) return
  const text = `Is it still there? ${randomUUID()}`
  const body = { listing_id: listing.id, message_text: text }
  await market.write<{ id: string }>(person, ['POST', '/api/conversations', body], ({ id: conversationId }) => ({
    kind: 'message',
    conversationId,
    senderId: person.id,
    text,
  }))
}

async function readMessages(market: Market, person: Person): Promise<void> {
  const conversations = await person.client.get<{ id: string; unread_count: number }[]>('/api/conversations')
  const unread = conversations.find(({ unread_count: count }) => count > 0)
  if (!unread) return
  // Kept also without an answer: what was asked may still be done, at any time.
  const entry = { kind: 'mark-read' as const, conversationId: unread.id, readerId: person.id, startedAt: Date.now() }
  const place = market.journal.push({ ...entry, endedAt: Number.MAX_SAFE_INTEGER }) - 1
  const { status } = await person.client.send('POST', `/api/conversations/${unread.id}/mark-read`, {})
  if (status === 200) market.journal[place] = { ...entry, endedAt: Date.now() }
}

/** What people do, and how often. */
export const actions: readonly [readonly [weight: number, action: Action], ...(readonly [number, Action])[]] = [
  [12, bid],
  [4, bidWithKey],
  [6, look],
  [3, listFixedPrice],
  [2, listAuction],
  [5, buyNow],
  [3, buyItNow],
  [4, payWhatIsDue],
  [3, offer],
  [3, answerOffer],
  [3, write],
  [2, readMessages],
]
