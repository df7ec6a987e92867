import { termsOf, type Sale } from './sale.ts'

/** The fields of a provider's payment intent that this service uses; amounts in cents. */
export interface Intent {
  id: string
  clientSecret: string
  status: string
  amount: number
  amountReceived: number
  currency: string
  /** Sale id from the intent's metadata. */
  saleId: string | null
  paymentMethod: string | null
}

export type IntentOutcome = 'succeeded' | 'cancelled' | 'open'

/** Thrown if an intent's amount, currency or sale id differs from the sale. The caller must not act on the intent. */
export class IntentMismatch extends Error {}

/**
 * Returns the outcome of a sale's intent. Throws `IntentMismatch` if the intent's amount, currency or sale id differs
 * from the sale, unless the intent was cancelled without a payment: it can no longer charge the buyer.
 */
export function verifyIntent(sale: Sale, intent: Intent): IntentOutcome {
  const isCancelled = intent.status === 'canceled'
  if (isCancelled && intent.amountReceived === 0) return 'cancelled'
  const { amount } = termsOf(sale)
  const isOurs = intent.saleId === sale.id && intent.currency === 'usd' && intent.amount === amount
  if (!isOurs) throw new IntentMismatch(`Intent ${intent.id} does not match sale ${sale.id}.`)
  if (isCancelled) return 'cancelled'
  if (intent.status !== 'succeeded') return 'open'
  if (intent.amountReceived !== amount) throw new IntentMismatch(`Intent ${intent.id} received another amount.`)
  return 'succeeded'
}
