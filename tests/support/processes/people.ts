import { eventually } from '@marketplace/testing/eventually.ts'
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'

export interface Listing {
  id: string
  title: string
  price: number
  current_bid: number | null
  bid_count: number
  is_active: boolean
}

export interface Intent {
  client_secret: string
  payment_intent_id: string
  amount: number
}

export interface Transaction {
  id: string
  listing_id: string
  status: string
  user_role: string
  transaction_type: string
  sale_price: number
}

/** Signs in a user and returns an API client. */
export async function signIn(base: string, email: string): Promise<MarketplaceClient> {
  return MarketplaceClient.signIn(base, email)
}

export async function listFixedPrice(seller: MarketplaceClient, title: string, dollars: number): Promise<Listing> {
  const [category] = await seller.get<{ id: number }[]>('/api/categories')
  return seller.post('/api/listings', { title, price: dollars, category_id: category?.id, shipping_cost: 4.5 })
}

export async function listAuction(
  seller: MarketplaceClient,
  title: string,
  options: { startingBid: number; endsInMs: number },
): Promise<Listing> {
  const [category] = await seller.get<{ id: number }[]>('/api/categories')
  return seller.post('/api/listings', {
    title,
    is_auction: true,
    starting_bid: options.startingBid,
    auction_end_date: new Date(Date.now() + options.endsInMs).toISOString(),
    category_id: category?.id,
  })
}

/**
 * Reads a listing until the response is not marked as stale. While the auction service does not respond in time, a read
 * returns catalog's copy of the newest bid.
 */
export async function readCurrent(person: MarketplaceClient, listingId: string): Promise<Listing> {
  return eventually(async () => {
    const { status, headers, body } = await person.send<Listing>('GET', `/api/listings/${listingId}`)
    if (status !== 200) throw new Error(`The listing responded ${status}.`)
    return headers.has('x-stale') ? null : body
  })
}

export function buyNow(buyer: MarketplaceClient, listingId: string): Promise<Intent> {
  return buyer.post('/api/payments/create-intent', { listing_id: listingId, transaction_type: 'buy_now' })
}

/**
 * Confirms the intent at the provider with a card that succeeds, like the card form. Throws when the provider rejects
 * it.
 */
export async function payByCard(buyer: MarketplaceClient, intent: Intent): Promise<void> {
  const config = await buyer.get<{ publishable_key: string; api_base: string }>('/api/stripe/config')
  const form = new URLSearchParams({
    key: config.publishable_key,
    client_secret: intent.client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  })
  const url = `${config.api_base}/v1/payment_intents/${intent.payment_intent_id}/confirm`
  const response = await fetch(url, { method: 'POST', body: form })
  if (!response.ok) throw new Error(`The card network responded ${response.status}: ${await response.text()}`)
}

export async function transactionFor(person: MarketplaceClient, listingId: string): Promise<Transaction | undefined> {
  const transactions = await person.get<Transaction[]>('/api/transactions')
  return transactions.find((transaction) => transaction.listing_id === listingId)
}

export async function findBySearch(base: string, term: string): Promise<Listing[]> {
  return new MarketplaceClient(base).get(`/api/listings?search=${encodeURIComponent(term)}`)
}
