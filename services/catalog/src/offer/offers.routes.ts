import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { answerOnce } from '@marketplace/kit/idempotency.ts'
import { Id } from '@marketplace/kit/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { acceptOffer, counterOffer, rejectOffer, withdrawOffer } from './answer-offer.ts'
import type { OfferCommand } from './lock-offer.ts'
import { makeOffer } from './make-offer.ts'
import { offerAt, type Offer } from './offer.ts'
import { offerFields, OfferView, toDraft, toOfferView } from './offer.view.ts'
import { readOffersOf } from './offers.repo.ts'

const MakeOffer = z.object({ listing_id: Id, ...offerFields }).meta({ id: 'MakeOffer' })
const CounterOffer = z.object(offerFields).meta({ id: 'CounterOffer' })
const params = z.object({ id: z.string() })

export function offersRoutes(ctx: Context): (app: PublicApp) => void {
  const { db } = ctx
  return (app) => {
    app.get('/api/offers', { schema: { response: answers({ 200: z.array(OfferView) }) } }, async (request) => {
      const offers = await readOffersOf(db, callerOf(request).userId)
      return offers.map(({ offer, readAt }) => toOfferView(offerAt(offer, readAt)))
    })

    app.post(
      '/api/offers',
      { schema: { body: MakeOffer, response: answers({ 201: OfferView }) } },
      (request, reply) => {
        const { listing_id: listingId, ...fields } = request.body
        const ask = { listingId, buyerId: callerOf(request).userId, draft: toDraft(fields) }
        return answerOnce({ db, request, reply, status: 201 }, async (trx) =>
          toOfferView(await makeOffer(ctx, trx, ask)),
        )
      },
    )

    app.post(
      '/api/offers/:id/counter',
      { schema: { params, body: CounterOffer, response: answers({ 201: OfferView }) } },
      (request, reply) => {
        const command = { offerId: request.params.id, userId: callerOf(request).userId, draft: toDraft(request.body) }
        return answerOnce({ db, request, reply, status: 201 }, async (trx) =>
          toOfferView(await counterOffer(ctx, trx, command)),
        )
      },
    )

    answerRoute(app, ctx, 'accept', (trx, command) => acceptOffer(ctx, trx, command))
    answerRoute(app, ctx, 'reject', rejectOffer)
    answerRoute(app, ctx, 'withdraw', withdrawOffer)
  }
}

function answerRoute(
  app: PublicApp,
  { db }: Context,
  name: 'accept' | 'reject' | 'withdraw',
  answer: (trx: Trx, command: OfferCommand) => Promise<Offer>,
): void {
  app.post(
    `/api/offers/:id/${name}`,
    { schema: { params, response: answers({ 200: OfferView }) } },
    (request, reply) => {
      const command = { offerId: request.params.id, userId: callerOf(request).userId }
      return answerOnce({ db, request, reply, status: 200 }, async (trx) => toOfferView(await answer(trx, command)))
    },
  )
}
