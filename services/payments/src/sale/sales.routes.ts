import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { answerOnceOverCalls } from '@marketplace/kit/idempotency-claims.ts'
import { Id, isId } from '@marketplace/kit/ids.ts'
import { Dollars } from '@marketplace/kit/money.ts'
import { missing } from '@marketplace/kit/problem.ts'
import { text } from '@marketplace/kit/text.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { cancelCheckout, confirmPayment } from './finish-checkout.ts'
import { listTransactions } from './list-transactions.ts'
import { buyAuction, startCheckout } from './start-checkout.ts'
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

const Auction = z.object({ id: z.string() })

export function salesRoutes(ctx: Context): (app: PublicApp) => void {
  return (app) => {
    const { STRIPE_PUBLISHABLE_KEY: publishable_key, STRIPE_API_BASE: api_base = null } = ctx.settings
    app.get(
      '/api/stripe/config',
      { config: { open: true }, schema: { response: answers({ 200: StripeConfig }) } },
      async () => ({ publishable_key, api_base }),
    )
    app.get(
      '/api/transactions',
      { schema: { response: answers({ 200: z.array(ListedTransaction) }) } },
      async (request) => {
        const seen = await listTransactions(ctx, callerOf(request).userId)
        return seen.map(toListedTransaction)
      },
    )
    checkoutRoutes(app, ctx)
    finishRoutes(app, ctx)
  }
}

function checkoutRoutes(app: PublicApp, ctx: Context): void {
  const { db, settings } = ctx
  const once = { db, status: 201, runningMs: settings.KEY_RUNNING_MS }
  const response = answers({ 201: PaymentIntent })
  app.post('/api/payments/create-intent', { schema: { body: CreateIntent, response } }, (request, reply) =>
    answerOnceOverCalls({ ...once, request, reply }, async () => {
      const { listing_id: listingId, transaction_type: type } = request.body
      return toPaymentIntent(await startCheckout(ctx, { listingId, type, buyerId: callerOf(request).userId }))
    }),
  )
  // Nothing, {} and whatever else comes along are one request, also under one key.
  const preHandler = async (request: { body: unknown }) => void (request.body = undefined)
  const buyNow = { schema: { params: Auction, response }, preHandler }
  app.post('/api/auctions/:id/buy-now', buyNow, (request, reply) =>
    answerOnceOverCalls({ ...once, request, reply }, async () => {
      const { id: listingId } = request.params
      if (!isId(listingId)) throw missing('listing')
      return toPaymentIntent(await buyAuction(ctx, { listingId, buyerId: callerOf(request).userId }))
    }),
  )
}

function finishRoutes(app: PublicApp, ctx: Context): void {
  const { db, settings } = ctx
  const once = { db, status: 200, runningMs: settings.KEY_RUNNING_MS }
  const finish = { schema: { body: IntentReference, response: answers({ 200: Transaction }) } }
  app.post('/api/payments/confirm', finish, (request, reply) =>
    answerOnceOverCalls({ ...once, request, reply }, async () => {
      const intentId = request.body.payment_intent_id
      return toTransaction(await confirmPayment(ctx, { intentId, buyerId: callerOf(request).userId }))
    }),
  )
  app.post('/api/payments/cancel', finish, (request, reply) =>
    answerOnceOverCalls({ ...once, request, reply }, async () => {
      const intentId = request.body.payment_intent_id
      return toTransaction(await cancelCheckout(ctx, { intentId, buyerId: callerOf(request).userId }))
    }),
  )
}
