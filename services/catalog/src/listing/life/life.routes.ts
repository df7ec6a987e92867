import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { DetailedListingView, toOwnListingView } from '../listing.view.ts'
import { EditListingBody, RelistListingBody, toEdit } from './edit-listing.body.ts'
import { editListing } from './edit-listing.ts'
import { endListing } from './end-listing.ts'
import { relistListing } from './relist-listing.ts'

const params = z.object({ id: z.string() })
const response = routeResponses({ 200: DetailedListingView }, 403, 404)

export function lifeRoutes(app: PublicApp, ctx: Context): void {
  const { db, settings } = ctx
  app.patch('/api/listings/:id', { schema: { params, body: EditListingBody, response } }, (request, reply) => {
    const { userId, name } = callerOf(request)
    const { listing_version: listingVersion, ...fields } = request.body
    const command = { listingId: request.params.id, userId, listingVersion, edit: toEdit(fields) }
    return runIdempotent({ db, request, reply, status: 200 }, async (trx) =>
      toOwnListingView(await editListing(ctx, trx, command), name, settings),
    )
  })

  app.post('/api/listings/:id/end', { schema: { params, response } }, (request, reply) => {
    const { userId, name } = callerOf(request)
    const command = { listingId: request.params.id, userId }
    return runIdempotent({ db, request, reply, status: 200 }, async (trx) =>
      toOwnListingView(await endListing(trx, command), name, settings),
    )
  })

  app.post('/api/listings/:id/relist', { schema: { params, body: RelistListingBody, response } }, (request, reply) => {
    const { userId, name } = callerOf(request)
    const command = { listingId: request.params.id, userId, edit: toEdit(request.body) }
    return runIdempotent({ db, request, reply, status: 200 }, async (trx) =>
      toOwnListingView(await relistListing(ctx, trx, command), name, settings),
    )
  })
}
