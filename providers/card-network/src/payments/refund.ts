import type { Stripe } from 'stripe'

/** Stripe's Refund, which here always refers to an intent. */
export interface Refund extends Stripe.Refund {
  payment_intent: string
}
