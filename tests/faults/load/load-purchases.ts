import { payByCard, type Intent, type Transaction } from '../../support/processes/people.ts'
import type { CardFault } from './card-faults.ts'
import type { Person } from './sign-in-user.ts'
import { isOpen, type KnownListing, type LoadState } from './load-state.ts'

// What the provider may do to a payment besides accepting it.
const cardFaults: readonly CardFault[] = [
  { kind: 'lose_webhook' },
  { kind: 'duplicate_webhook' },
  { kind: 'delay_webhook', ms: 1000 },
  { kind: 'reorder_webhook' },
  { kind: 'processing', ms: 500 },
  { kind: 'down', operation: 'retrieve' },
  { kind: 'error', operation: 'retrieve' },
]

async function checkOut(state: LoadState, person: Person, listing: KnownListing | undefined, type: string) {
  if (!listing) return
  const path = type === 'buy_it_now' ? `/api/auctions/${listing.id}/buy-now` : '/api/payments/create-intent'
  const body = type === 'buy_it_now' ? {} : { listing_id: listing.id, transaction_type: type }
  const intent = await state.send<Intent>(person, ['POST', path, body], ({ payment_intent_id: intentId, amount }) => ({
    kind: 'intent',
    intentId,
    listingId: listing.id,
    amount,
  }))
  if (!intent) return
  const choice = state.random()
  if (choice < 0.2) return
  if (choice < 0.4) await cancel(state, person, listing, intent)
  else await pay(state, person, listing, intent)
}

async function pay(state: LoadState, person: Person, listing: KnownListing, intent: Intent): Promise<void> {
  if (state.random() < 0.4) await state.injectCardFault({ ...pickFault(state), intent: intent.payment_intent_id })
  await payByCard(person.client, intent)
  if (state.random() < 0.3) return
  const { payment_intent_id: intentId } = intent
  await state.send(person, ['POST', '/api/payments/confirm', { payment_intent_id: intentId }], () => ({
    kind: 'paid',
    intentId,
    listingId: listing.id,
  }))
}

async function cancel(state: LoadState, person: Person, listing: KnownListing, intent: Intent): Promise<void> {
  const { payment_intent_id: intentId } = intent
  if (state.random() < 0.7) await state.injectCardFault({ kind: 'succeed_after_cancel', ms: 200, intent: intentId })
  const body = { payment_intent_id: intentId }
  await state.send<Transaction>(person, ['POST', '/api/payments/cancel', body], ({ status }) =>
    status === 'cancelled' ? { kind: 'cancelled', intentId, listingId: listing.id } : undefined,
  )
}

export async function buyNow(state: LoadState, person: Person): Promise<void> {
  await checkOut(
    state,
    person,
    state.find(person, ({ isAuction }) => !isAuction),
    'buy_now',
  )
}

export async function buyItNow(state: LoadState, person: Person): Promise<void> {
  await checkOut(state, person, state.find(person, isOpen), 'buy_it_now')
}

export async function payDueSale(state: LoadState, person: Person): Promise<void> {
  const transactions = await person.client.get<Transaction[]>('/api/transactions')
  const due = transactions.find(
    ({ status, user_role: role, transaction_type: type }) =>
      status === 'pending' && role === 'buyer' && type !== 'buy_now',
  )
  const listing = due && state.listings.find(({ id }) => id === due.listing_id)
  if (due) await checkOut(state, person, listing, due.transaction_type)
}

function pickFault(state: LoadState): CardFault {
  return cardFaults[state.integer(0, cardFaults.length - 1)] ?? { kind: 'lose_webhook' }
}
