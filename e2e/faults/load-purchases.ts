import { payByCard, type Intent, type Transaction } from '../src/people.ts'
import type { CardFault } from './card-switches.ts'
import type { Person } from './enter.ts'
import { isOpen, type KnownListing, type Market } from './market.ts'

// What the provider may do to a payment, besides taking it.
const cardFaults: readonly CardFault[] = [
  { kind: 'lose_webhook' },
  { kind: 'duplicate_webhook' },
  { kind: 'delay_webhook', ms: 1000 },
  { kind: 'reorder_webhook' },
  { kind: 'processing', ms: 500 },
  { kind: 'down', operation: 'retrieve' },
  { kind: 'error', operation: 'retrieve' },
]

async function checkOut(market: Market, person: Person, listing: KnownListing | undefined, type: string) {
  if (!listing) return
  const ask = type === 'buy_it_now' ? `/api/auctions/${listing.id}/buy-now` : '/api/payments/create-intent'
  const body = type === 'buy_it_now' ? {} : { listing_id: listing.id, transaction_type: type }
  const intent = await market.write<Intent>(person, ['POST', ask, body], ({ payment_intent_id: intentId, amount }) => ({
    kind: 'intent',
    intentId,
    listingId: listing.id,
    amount,
  }))
  if (!intent) return
  const choice = market.random()
  if (choice < 0.2) return
  if (choice < 0.4) await cancel(market, person, listing, intent)
  else await pay(market, person, listing, intent)
}

async function pay(market: Market, person: Person, listing: KnownListing, intent: Intent): Promise<void> {
  if (market.random() < 0.4) await market.strike({ ...pickFault(market), intent: intent.payment_intent_id })
  await payByCard(person.client, intent)
  if (market.random() < 0.3) return
  const { payment_intent_id: intentId } = intent
  await market.write(person, ['POST', '/api/payments/confirm', { payment_intent_id: intentId }], () => ({
    kind: 'paid',
    intentId,
    listingId: listing.id,
  }))
}

async function cancel(market: Market, person: Person, listing: KnownListing, intent: Intent): Promise<void> {
  const { payment_intent_id: intentId } = intent
  if (market.random() < 0.7) await market.strike({ kind: 'succeed_after_cancel', ms: 200, intent: intentId })
  const body = { payment_intent_id: intentId }
  await market.write<Transaction>(person, ['POST', '/api/payments/cancel', body], ({ status }) =>
    status === 'cancelled' ? { kind: 'cancelled', intentId, listingId: listing.id } : undefined,
  )
}

export async function buyNow(market: Market, person: Person): Promise<void> {
  await checkOut(
    market,
    person,
    market.find(person, ({ isAuction }) => !isAuction),
    'buy_now',
  )
}

export async function buyItNow(market: Market, person: Person): Promise<void> {
  await checkOut(market, person, market.find(person, isOpen), 'buy_it_now')
}

export async function payWhatIsDue(market: Market, person: Person): Promise<void> {
  const transactions = await person.client.get<Transaction[]>('/api/transactions')
  const due = transactions.find(
    ({ status, user_role: role, transaction_type: type }) =>
      status === 'pending' && role === 'buyer' && type !== 'buy_now',
  )
  const listing = due && market.listings.find(({ id }) => id === due.listing_id)
  if (due) await checkOut(market, person, listing, due.transaction_type)
}

function pickFault(market: Market): CardFault {
  return cardFaults[market.integer(0, cardFaults.length - 1)] ?? { kind: 'lose_webhook' }
}
