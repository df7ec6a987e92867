import { Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import { termsOf } from '../sale.ts'
import type { Checkout } from './start-checkout.ts'

export const PaymentIntent = z
  .strictObject({
    client_secret: z.string(),
    amount: Cents,
    sale_price: Cents,
    transaction_fee: Cents,
    shipping_cost: Cents,
    payment_intent_id: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'PaymentIntent' })

export function toPaymentIntent({ sale, intent }: Checkout): z.output<typeof PaymentIntent> {
  const { amount, price, fee, shipping } = termsOf(sale)
  return {
    client_secret: intent.clientSecret,
    amount,
    sale_price: price,
    transaction_fee: fee,
    shipping_cost: shipping,
    payment_intent_id: intent.id,
    expires_at: sale.expiresAt.toISOString(),
  }
}
