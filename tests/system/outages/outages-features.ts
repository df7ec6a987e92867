import { MarketplaceClient, type ApiResponse } from '@marketplace/stack/demo/client.ts'
import { auctionOf, type OutageRecords } from './outage-records.ts'

type FeatureCall = (records: OutageRecords) => Promise<ApiResponse>

const get =
  (path: string): FeatureCall =>
  ({ buyer }) =>
    buyer.send('GET', path)

const visit =
  (path: (records: OutageRecords) => string): FeatureCall =>
  (records) =>
    new MarketplaceClient(records.url).send('GET', path(records))

const post =
  (
    path: string | ((records: OutageRecords) => string),
    body: (records: OutageRecords) => object = () => ({}),
  ): FeatureCall =>
  (records) =>
    records.buyer.send('POST', typeof path === 'string' ? path : path(records), body(records))

const checkOut = (listing: (records: OutageRecords) => { id: string }, type: string): FeatureCall =>
  post('/api/payments/create-intent', (records) => ({ listing_id: listing(records).id, transaction_type: type }))

let highestBid = 20

/** The features of the marketplace, one call each. */
export const features = {
  'the categories': visit(() => '/api/categories'),
  'reading a listing': visit(({ lamp }) => `/api/listings/${lamp.id}`),
  'reading an auction': visit(({ watch }) => `/api/listings/${watch.id}`),
  'listing at a fixed price': ({ seller }) =>
    seller.send('POST', '/api/listings', { title: 'Vase', price: 5, category_id: 1 }),
  'listing an auction': ({ seller }) => seller.send('POST', '/api/listings', auctionOf('Drawing')),
  'one’s own listings': ({ seller }) => seller.send('GET', '/api/users/me/listings'),
  'an offer': post('/api/offers', ({ lamp }) => ({ listing_id: lamp.id, amount: 11, message: 'Please?' })),
  'the offers': get('/api/offers'),
  'accepting an offer': ({ seller, offerId }) => seller.send('POST', `/api/offers/${offerId}/accept`, {}),
  'the watchlist': get('/api/watchlist'),
  'watching a listing': post('/api/watchlist', ({ watch }) => ({ listing_id: watch.id })),
  'a bid': post('/api/bids', ({ watch }) => ({ listing_id: watch.id, amount: (highestBid += 1) })),
  'an auction’s bids': visit(({ watch }) => `/api/auctions/${watch.id}/bids`),
  'the list of listings': visit(() => '/api/listings'),
  'a search': visit(() => '/api/listings?search=lamp'),
  suggestions: visit(() => '/api/search/suggestions?q=la'),
  'trending searches': visit(() => '/api/search/trending'),
  'one’s searches': get('/api/search/history'),
  'buying at a fixed price': checkOut(({ lamp }) => lamp, 'buy_now'),
  'buying an auction at once': post(({ clock }) => `/api/auctions/${clock.id}/buy-now`),
  'paying a win': checkOut(({ won }) => won, 'auction_win'),
  'confirming a payment': post('/api/payments/confirm', ({ paid }) => ({ payment_intent_id: paid.payment_intent_id })),
  'leaving a checkout': post('/api/payments/cancel', ({ left }) => ({ payment_intent_id: left.payment_intent_id })),
  'the transactions': get('/api/transactions'),
  'what the card form needs': visit(() => '/api/stripe/config'),
  'a first message': post('/api/conversations', ({ chair }) => ({ listing_id: chair.id, message_text: 'Hello?' })),
  'a message': post('/api/messages', ({ conversationId: id }) => ({ conversation_id: id, message_text: 'Yes?' })),
  'the conversations': get('/api/conversations'),
  'a conversation': ({ seller, conversationId: id }) => seller.send('GET', `/api/conversations/${id}/messages`),
  'marking it read': ({ seller, conversationId: id }) => seller.send('POST', `/api/conversations/${id}/mark-read`, {}),
  'the help chat': post('/api/chat', () => ({ message: 'How do I pay?', conversation_history: [] })),
  'who one is': get('/api/users/me'),
  'one’s preferences': get('/api/users/notification-preferences'),
  'the way to the sign-in page': visit(() => '/api/oauth/google/redirect_url'),
  'signing out': ({ leaver }) => leaver.send('GET', '/api/logout'),
} as const satisfies Record<string, FeatureCall>

export type Feature = keyof typeof features

export const allFeatures: readonly Feature[] = Object.keys(features).filter((name): name is Feature => name in features)
