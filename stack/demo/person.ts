import { MarketplaceClient } from './client.ts'

export interface Listing {
  readonly id: string
  readonly title: string
  readonly is_active: boolean
  readonly bid_count: number
  readonly current_bid: number | null
}
interface Conversation {
  readonly id: string
  readonly listing_title: string
}
interface Transaction {
  readonly listing_id: string
  readonly status: string
}
interface Intent {
  readonly client_secret: string
  readonly payment_intent_id: string
}
interface CardConfig {
  readonly publishable_key: string
  readonly api_base: string | null
}

/**
 * Signs in every user of the demo data who sells, bids or writes. Returns a lookup by name that throws for an unknown
 * name.
 */
export async function signInAll(url: string, names: Iterable<string>): Promise<(name: string) => MarketplaceClient> {
  const signedIn = await Promise.all(
    [...new Set(names)].map(
      async (name) => [name, await MarketplaceClient.signIn(url, `${name}@example.com`)] as const,
    ),
  )
  const people = new Map(signedIn)
  return (name) => {
    const person = people.get(name)
    if (!person) throw new Error(`The demo data has no user ${name}.`)
    return person
  }
}

export function ownListings(seller: MarketplaceClient): Promise<Listing[]> {
  return seller.getAll('/api/users/me/listings?limit=100')
}

/** Buys and pays by card unless an earlier start did. */
export async function buy(buyer: MarketplaceClient, listingId: string): Promise<void> {
  const transactions = await buyer.get<Transaction[]>('/api/transactions')
  if (transactions.some(({ listing_id, status }) => listing_id === listingId && status === 'completed')) return
  const config = await buyer.get<CardConfig>('/api/stripe/config')
  // No API base means a real provider, which rejects test cards.
  if (config.api_base === null) return
  const intent = await buyer.post<Intent>('/api/payments/create-intent', {
    listing_id: listingId,
    transaction_type: 'buy_now',
  })
  await payByCard(config.api_base, config.publishable_key, intent)
  await buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
}

/** Sends the missing messages of a conversation: the first to the listing's seller, then alternating. */
export async function writeMessages(
  buyer: MarketplaceClient,
  seller: MarketplaceClient,
  listing: Listing,
  lines: readonly string[],
): Promise<void> {
  const known = (await buyer.get<Conversation[]>('/api/conversations')).find(
    ({ listing_title }) => listing_title === listing.title,
  )
  const said = known ? (await buyer.get<unknown[]>(`/api/conversations/${known.id}/messages`)).length : 0
  const opening = { listing_id: listing.id, message_text: lines[0] }
  const conversation = known ?? (await buyer.post<Conversation>('/api/conversations', opening))
  for (const [turn, message_text] of lines.entries()) {
    if (turn < Math.max(said, 1)) continue
    await (turn % 2 === 0 ? buyer : seller).post('/api/messages', { conversation_id: conversation.id, message_text })
  }
}

async function payByCard(apiBase: string, key: string, { client_secret, payment_intent_id }: Intent): Promise<void> {
  const card = {
    number: '4242424242424242',
    exp_month: '12',
    exp_year: String(new Date().getFullYear() + 3),
    cvc: '123',
  }
  const fields = Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value])
  const body = new URLSearchParams([
    ['key', key],
    ['client_secret', client_secret],
    ['payment_method_data[type]', 'card'],
    ...fields,
  ])
  const response = await fetch(`${apiBase}/v1/payment_intents/${payment_intent_id}/confirm`, { method: 'POST', body })
  if (!response.ok) throw new Error(`The card network responded ${response.status}: ${await response.text()}`)
}
