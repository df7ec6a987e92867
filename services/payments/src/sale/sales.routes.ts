import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { Id } from '@marketplace/kit/ids.ts'
import { Dollars } from '@marketplace/kit/money.ts'
import { text } from '@marketplace/kit/text.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { cancelCheckout, confirmPayment } from './finish-checkout.ts'
import { listTransactions } from './list-transactions.ts'
import { startCheckout } from './start-checkout.ts'
import {
  ListedTransaction,
  PaymentIntent,
  toListedTransaction,
  toPaymentIntent,
  toTransaction,
  Transaction,
  TransactionType,
} from './transaction.view.ts'

const CreateIntent = z
  .object({
    listing_id: Id,
    transaction_type: TransactionType,
    // Judged, then ignored: the price is the owner's.
    sale_price: Dollars.refine((price) => price > 0, 'Sale price must be greater than $0.00').optional(),
  })
  .meta({ id: 'CreateIntent' })

// The provider's ids are opaque, of at most 255 characters.
const IntentReference = z
  .object({ payment_intent_id: text({ min: 1, max: 255 }) })
  .meta({ id: 'PaymentIntentReference' })

const StripeConfig = z
  .strictObject({ publishable_key: z.string(), api_base: z.url().nullable() })
  .meta({ id: 'StripeConfig' })

export function salesRoutes(ctx: Context): (app: PublicApp) => void {
  return (app) => {
    const { STRIPE_PUBLISHABLE_KEY: publishable_key, STRIPE_API_BASE: api_base = null } = ctx.settings
    app.get(
      '/api/stripe/config',
      { config: { open: true }, schema: { response: { 200: StripeConfig } } },
      async () => ({ publishable_key, api_base }),
    )
    app.post(
      '/api/payments/create-intent',
      { schema: { body: CreateIntent, response: { 201: PaymentIntent } } },
      async (request, reply) => {
        const { listing_id: listingId, transaction_type: type } = request.body
        const checkout = await startCheckout(ctx, { listingId, type, buyerId: callerOf(request).userId })
        return reply.code(201).send(toPaymentIntent(checkout))
      },
    )
    const finish = { schema: { body: IntentReference, response: { 200: Transaction } } }
    app.post('/api/payments/confirm', finish, async (request) => {
      const intentId = request.body.payment_intent_id
      return toTransaction(await confirmPayment(ctx, { intentId, buyerId: callerOf(request).userId }))
    })
    app.post('/api/payments/cancel', finish, async (request) => {
      const intentId = request.body.payment_intent_id
      return toTransaction(await cancelCheckout(ctx, { intentId, buyerId: callerOf(request).userId }))
    })
    app.get('/api/transactions', { schema: { response: { 200: z.array(ListedTransaction) } } }, async (request) => {
      const seen = await listTransactions(ctx, callerOf(request).userId)
      return seen.map(toListedTransaction)
    })
  }
}
