import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { page, pageParameters, readCursor, TimeCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { acceptOffer, counterOffer, rejectOffer, withdrawOffer } from './respond-to-offer.ts'
import type { OfferCommand } from './lock-offer.ts'
import { makeOffer } from './make-offer.ts'
import { offerSides, offerStatuses, type Offer } from './offer.ts'
import { ListedOfferView, offerFields, OfferView, toDraft, toListedOfferView, toOfferView } from './offer.view.ts'
import { readOffersOfUser } from './read-offers.ts'

const OffersQuery = querySchema({
  ...pageParameters,
  listing_id: Id.optional(),
  status: z.enum(offerStatuses).optional(),
  made_by: z.enum(offerSides).optional(),
  // `true` selects the offers that the other person made, `false` those that the user made.
  received: z.enum(['true', 'false']).optional(),
})
const MakeOffer = z
  .object({
    listing_id: Id,
    ...offerFields,
    listing_version: z
      .int32()
      .min(1)
      .optional()
      .meta({ description: 'The terms_version that the buyer saw; another one is 409 listing_changed' }),
  })
  .meta({ id: 'MakeOffer' })
const CounterOffer = z.object(offerFields).meta({ id: 'CounterOffer' })
const params = z.object({ id: z.string() })

export function offersRoutes(app: PublicApp, ctx: Context): void {
  const { db } = ctx
  listOffersRoute(app, ctx)
  app.post(
    '/api/offers',
    { schema: { body: MakeOffer, response: routeResponses({ 201: OfferView }, 403, 404) } },
    (request, reply) => {
      const { listing_id: listingId, listing_version: listingVersion = null, ...fields } = request.body
      const offer = { listingId, listingVersion, buyerId: callerOf(request).userId, draft: toDraft(fields) }
      return runIdempotent({ db, request, reply, status: 201 }, async (trx) =>
        toOfferView(await makeOffer(ctx, trx, offer)),
      )
    },
  )

  app.post(
    '/api/offers/:id/counter',
    { schema: { params, body: CounterOffer, response: routeResponses({ 201: OfferView }, 403) } },
    (request, reply) => {
      const command = { offerId: request.params.id, userId: callerOf(request).userId, draft: toDraft(request.body) }
      return runIdempotent({ db, request, reply, status: 201 }, async (trx) =>
        toOfferView(await counterOffer(ctx, trx, command)),
      )
    },
  )

  transitionRoute(app, ctx, { name: 'accept', run: (trx, command) => acceptOffer(ctx, trx, command) })
  transitionRoute(app, ctx, { name: 'reject', run: rejectOffer })
  transitionRoute(app, ctx, { name: 'withdraw', run: withdrawOffer })
}

function listOffersRoute(app: PublicApp, ctx: Context): void {
  const response = routeResponses({ 200: z.array(ListedOfferView) })
  app.get('/api/offers', { schema: { querystring: OffersQuery, response } }, async (request, reply) => {
    const { limit, cursor, listing_id: listingId = null, status = null, made_by: madeBy = null } = request.query
    const isReceived = request.query.received === undefined ? null : request.query.received === 'true'
    const { userId } = callerOf(request)
    const after = readCursor(TimeCursor, cursor)
    const query = { userId, listingId, status, madeBy, isReceived, after, limit: limit + 1 }
    return page(request, reply, {
      rows: await readOffersOfUser(ctx, query),
      limit,
      toView: (listed) => toListedOfferView(listed, ctx.settings),
      positionOf: ({ position }) => position,
    })
  })
}

interface OfferTransition {
  name: 'accept' | 'reject' | 'withdraw'
  run(trx: Trx, command: OfferCommand): Promise<Offer>
}

function transitionRoute(app: PublicApp, { db }: Context, { name, run }: OfferTransition): void {
  app.post(
    `/api/offers/:id/${name}`,
    { schema: { params, response: routeResponses({ 200: OfferView }, 403) } },
    (request, reply) => {
      const command = { offerId: request.params.id, userId: callerOf(request).userId }
      return runIdempotent({ db, request, reply, status: 200 }, async (trx) => toOfferView(await run(trx, command)))
    },
  )
}
