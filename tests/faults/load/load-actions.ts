import { randomUUID } from 'node:crypto'
import type { Listing } from '../../support/processes/people.ts'
import { buyItNow, buyNow, payDueSale } from './load-purchases.ts'
import type { Person } from './sign-in-user.ts'
import { isOpen, type KnownListing, type LoadState } from './load-state.ts'

export type Action = (state: LoadState, person: Person) => Promise<unknown>

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

async function listFixedPrice(state: LoadState, person: Person): Promise<void> {
  const price = state.integer(100, 30_000)
  const body = {
    title: `Lamp ${state.integer(1, 999)}`,
    price: price / 100,
    shipping_cost: state.integer(0, 900) / 100,
    category_id: state.integer(1, 12),
    accept_offers: true,
  }
  const listing = await state.send<Listing>(person, ['POST', '/api/listings', body], ({ id }) => ({
    kind: 'listing',
    id,
    price,
  }))
  if (listing) state.listings.push({ id: listing.id, sellerId: person.id, isAuction: false, endsAt: 0, price })
}

async function listAuction(state: LoadState, person: Person): Promise<void> {
  const price = state.integer(100, 2000)
  const endsAt = Date.now() + state.integer(1500, 6000)
  const body = {
    title: `Watch ${state.integer(1, 999)}`,
    is_auction: true,
    starting_bid: price / 100,
    auction_end_date: new Date(endsAt).toISOString(),
    category_id: state.integer(1, 12),
    ...(state.random() < 0.5 ? { buy_it_now_price: (price + state.integer(2000, 20_000)) / 100 } : {}),
  }
  const listing = await state.send<Listing>(person, ['POST', '/api/listings', body], ({ id }) => ({
    kind: 'listing',
    id,
    price,
  }))
  if (listing) state.listings.push({ id: listing.id, sellerId: person.id, isAuction: true, endsAt, price })
}

async function bid(state: LoadState, person: Person): Promise<void> {
  const listing = state.find(person, isOpen)
  if (!listing) return listAuction(state, person)
  const amount = listing.price + state.integer(1, 300)
  const placed = await state.send<Bid>(
    person,
    ['POST', '/api/bids', { listing_id: listing.id, amount: amount / 100 }],
    (response) => acknowledgedBid(listing, response),
  )
  listing.price = Math.max(listing.price, placed?.current_bid ?? amount)
}

/** Sends a bid with a key until it gets a response: it counts once, however often it arrives. */
async function bidWithKey(state: LoadState, person: Person): Promise<void> {
  const listing = state.find(person, isOpen)
  if (!listing) return
  const headers = {
    cookie: person.client.cookieHeader(),
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  const amount = listing.price + state.integer(1, 300)
  const body = JSON.stringify({ listing_id: listing.id, amount: amount / 100 })
  // The response may be a replay, so the first attempt determines its place in the order.
  const startedAt = Date.now()
  for (let tries = 0; tries < 5; tries += 1) {
    const response = await fetch(new URL('/api/bids', person.client.base), { method: 'POST', headers, body }).catch(
      () => undefined,
    )
    state.count(`POST /api/bids with a key ${response?.status ?? 0}`)
    if (response?.status === 201) {
      const placed: Bid = await response.json()
      state.journal.push({ ...acknowledgedBid(listing, placed), startedAt, endedAt: Date.now() })
    }
    if (response && response.status < 500) return
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

async function readListing(state: LoadState, person: Person): Promise<void> {
  const listing = state.find(person, isOpen)
  if (!listing) return
  const startedAt = Date.now()
  const { status, headers, body } = await person.client.send<Listing>('GET', `/api/listings/${listing.id}`)
  if (status !== 200) return
  const { current_bid: currentBid, bid_count: bidCount } = body
  const isStale = headers.has('x-stale')
  state.journal.push({
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

async function offer(state: LoadState, person: Person): Promise<void> {
  const listing = state.find(person, ({ isAuction }) => !isAuction)
  if (!listing) return
  const body = { listing_id: listing.id, amount: state.integer(50, listing.price) / 100, message: 'Would you?' }
  await state.send<Offer>(person, ['POST', '/api/offers', body], ({ id, amount }) => ({
    kind: 'offer',
    id,
    listingId: listing.id,
    amount,
  }))
}

async function respondToOffer(state: LoadState, person: Person): Promise<void> {
  const offers = await person.client.get<Offer[]>('/api/offers?status=pending')
  const open = offers.find(
    ({ status, made_by: by, buyer_id: buyer }) => status === 'pending' && (by === 'buyer') !== (buyer === person.id),
  )
  if (!open) return
  const decision = state.random() < 0.6 ? 'accept' : 'reject'
  await state.send<Offer>(person, ['POST', `/api/offers/${open.id}/${decision}`, {}], () => undefined)
}

async function sendMessage(state: LoadState, person: Person): Promise<void> {
  const listing = state.find(person, () => true)
  if (!listing) return
  const text = `Is it still there? ${randomUUID()}`
  const body = { listing_id: listing.id, message_text: text }
  await state.send<{ id: string }>(person, ['POST', '/api/conversations', body], ({ id: conversationId }) => ({
    kind: 'message',
    conversationId,
    senderId: person.id,
    text,
  }))
}

async function readMessages(state: LoadState, person: Person): Promise<void> {
  const conversations = await person.client.get<{ id: string; unread_count: number }[]>('/api/conversations')
  const unread = conversations.find(({ unread_count: count }) => count > 0)
  if (!unread) return
  // Recorded even without a response: the write may still take effect at any time.
  const entry = { kind: 'mark-read' as const, conversationId: unread.id, readerId: person.id, startedAt: Date.now() }
  const place = state.journal.push({ ...entry, endedAt: Number.MAX_SAFE_INTEGER }) - 1
  const { status } = await person.client.send('POST', `/api/conversations/${unread.id}/mark-read`, {})
  if (status === 200) state.journal[place] = { ...entry, endedAt: Date.now() }
}

/** The actions of users and their frequencies. */
export const actions: readonly [readonly [weight: number, action: Action], ...(readonly [number, Action])[]] = [
  [12, bid],
  [4, bidWithKey],
  [6, readListing],
  [3, listFixedPrice],
  [2, listAuction],
  [5, buyNow],
  [3, buyItNow],
  [4, payDueSale],
  [3, offer],
  [3, respondToOffer],
  [3, sendMessage],
  [2, readMessages],
]
