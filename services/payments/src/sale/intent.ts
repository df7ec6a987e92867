import { termsOf, type Sale } from './sale.ts'

/** The provider's record of one payment, as far as we judge it. */
export interface Intent {
  id: string
  clientSecret: string
  status: string
  amount: number
  amountReceived: number
  currency: string
  /** The sale in its metadata. */
  saleId: string | null
  paymentMethod: string | null
}

export type Verdict = 'succeeded' | 'cancelled' | 'open'

/** An intent that is not what this sale asked for: nothing may follow from it. */
export class IntentMismatch extends Error {}

/** What the intent says about its sale; refuses one with another amount, currency or sale. */
export function judgeIntent(sale: Sale, intent: Intent): Verdict {
  const { amount } = termsOf(sale)
  const isOurs = intent.saleId === sale.id && intent.currency === 'usd' && intent.amount === amount
  if (!isOurs) throw new IntentMismatch(`Intent ${intent.id} does not match sale ${sale.id}.`)
  if (intent.status === 'canceled') return 'cancelled'
  if (intent.status !== 'succeeded') return 'open'
  if (intent.amountReceived !== amount) throw new IntentMismatch(`Intent ${intent.id} received another amount.`)
  return 'succeeded'
}
