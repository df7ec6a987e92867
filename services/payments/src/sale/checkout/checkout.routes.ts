import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotentAcrossCalls } from '@marketplace/kit/idempotency/claims.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { positiveDollars } from '@marketplace/kit/values/money.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { cancelCheckout } from './cancel-checkout.ts'
import { confirmPayment } from './confirm-payment.ts'
import { PaymentIntent, toPaymentIntent } from './payment-intent.view.ts'
import { buyAuction, startCheckout } from './start-checkout.ts'
import { toTransaction, Transaction, TransactionType } from '../transactions/transaction.view.ts'

const ListingVersion = z
  .int32()
  .min(1)
  .optional()
  .meta({ description: 'The terms_version that the buyer saw; another one is 409 listing_changed' })

const CreateIntent = z
  .object({
    listing_id: Id,
    transaction_type: TransactionType,
    // The price is validated but not used, because the inventory service sets the price.
    sale_price: positiveDollars('Sale price must be greater than $0.00').optional(),
    listing_version: ListingVersion,
  })
  .meta({ id: 'CreateIntent' })

// Provider ids are opaque and have at most 255 characters.
const IntentReference = z
  .object({ payment_intent_id: text({ min: 1, max: 255 }) })
  .meta({ id: 'PaymentIntentReference' })

// The body is optional.
const BuyNow = z.object({ listing_version: ListingVersion }).nullish()

const Auction = z.object({ id: z.string() })

export function checkoutRoutes(app: PublicApp, ctx: Context): void {
  startRoutes(app, ctx)
  finishRoutes(app, ctx)
}

function startRoutes(app: PublicApp, ctx: Context): void {
  const { db, settings } = ctx
  const once = { db, status: 201, leaseMs: settings.IDEMPOTENCY_LEASE_TTL_MS }
  const response = routeResponses({ 201: PaymentIntent }, 403, 404, 429)
  app.post('/api/payments/create-intent', { schema: { body: CreateIntent, response } }, (request, reply) =>
    runIdempotentAcrossCalls({ ...once, request, reply }, async () => {
      const { listing_id: listingId, transaction_type: type, listing_version: listingVersion = null } = request.body
      const { userId: buyerId } = callerOf(request)
      return toPaymentIntent(await startCheckout(ctx, { listingId, type, listingVersion, buyerId }))
    }),
  )
  // Converts a body without `listing_version` to no body, so that both count as the same request for an
  // Idempotency-Key.
  const preHandler = async (request: { body: z.output<typeof BuyNow> }) => {
    if (request.body?.listing_version === undefined) request.body = undefined
  }
  const buyNow = { schema: { params: Auction, body: BuyNow, response }, preHandler }
  app.post('/api/auctions/:id/buy-now', buyNow, (request, reply) =>
    runIdempotentAcrossCalls({ ...once, request, reply }, async () => {
      const { id: listingId } = request.params
      if (!isId(listingId)) throw missing('listing')
      const listingVersion = request.body?.listing_version ?? null
      return toPaymentIntent(await buyAuction(ctx, { listingId, listingVersion, buyerId: callerOf(request).userId }))
    }),
  )
}

function finishRoutes(app: PublicApp, ctx: Context): void {
  const { db, settings } = ctx
  const once = { db, status: 200, leaseMs: settings.IDEMPOTENCY_LEASE_TTL_MS }
  const finish = { schema: { body: IntentReference, response: routeResponses({ 200: Transaction }, 404) } }
  app.post('/api/payments/confirm', finish, (request, reply) =>
    runIdempotentAcrossCalls({ ...once, request, reply }, async () => {
      const intentId = request.body.payment_intent_id
      return toTransaction(await confirmPayment(ctx, { intentId, buyerId: callerOf(request).userId }))
    }),
  )
  app.post('/api/payments/cancel', finish, (request, reply) =>
    runIdempotentAcrossCalls({ ...once, request, reply }, async () => {
      const intentId = request.body.payment_intent_id
      return toTransaction(await cancelCheckout(ctx, { intentId, buyerId: callerOf(request).userId }))
    }),
  )
}
