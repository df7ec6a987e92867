import type { Stripe } from 'stripe'
import type { Harness } from './harness.ts'

/** Returns the provider's intents of a listing's sales, including orphaned ones, as `id status`, newest first. */
export async function intentsOf({ cards, db }: Harness, listingId: string): Promise<string[]> {
  const sales = await db.selectFrom('transactions').select('id').where('listing_id', '=', listingId).execute()
  const { data } = await cards.stripe.paymentIntents.list({ limit: 100 } satisfies Stripe.PaymentIntentListParams)
  const ours = data.filter(({ metadata }) => sales.some(({ id }) => id === metadata['sale']))
  return ours.map(({ id, status }) => `${id} ${status}`)
}
