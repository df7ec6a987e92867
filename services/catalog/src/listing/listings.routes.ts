import { listingStatuses } from '@marketplace/contracts/listing.ts'
import { ListedView, listedParameters, toListedView } from '@marketplace/contracts/listing-card.ts'
import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { formatTotal, maxTotal, page, pageParameters, readCursor, TimeCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotentAfter } from '@marketplace/kit/idempotency/idempotency.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { deleteDraft } from '../draft/drafts.repo.ts'
import { identifyViewer, networkOfRequest } from '../view/viewer.ts'
import { CreateListingBody, toDraft } from './create-listing.body.ts'
import { createListing, prepareListing } from './create-listing.ts'
import { DetailedListingView, toDetailedListingView, toListingView, toOwnListingView } from './listing.view.ts'
import { readDetailedListing, readListed } from './read-listing.ts'
import { countSellerListings, findSellerPositions } from './seller-listings.repo.ts'

const OwnListings = querySchema({
  ...listedParameters,
  ...pageParameters,
  status: z.enum(listingStatuses).optional(),
})
const params = z.object({ id: z.string() })

export function listingsRoutes(app: PublicApp, ctx: Context): void {
  const { db, viewBuffer, settings } = ctx
  app.post(
    '/api/listings',
    { schema: { body: CreateListingBody, response: routeResponses({ 201: DetailedListingView }) } },
    (request, reply) => {
      const { userId, name: sellerName } = callerOf(request)
      const { draft_id: draftId } = request.body
      const prepare = () => prepareListing(ctx, userId, toDraft(request.body))
      return runIdempotentAfter({ db, request, reply, status: 201 }, prepare, async (trx, prepared) => {
        const listing = await createListing(ctx, trx, prepared)
        if (draftId) await deleteDraft(trx, draftId, userId)
        return toOwnListingView(listing, sellerName, settings)
      })
    },
  )
  app.get(
    '/api/listings/:id',
    {
      config: { open: true, compress: true },
      schema: { params, response: routeResponses({ 200: DetailedListingView }) },
    },
    async (request, reply) => {
      const detailed = await readDetailedListing(ctx, request.params.id, request.caller?.userId ?? null)
      const viewer = identifyViewer(request)
      const { id: listingId, sellerId } = detailed.listing
      if (viewer && request.caller?.userId !== sellerId)
        viewBuffer.add({ listingId, viewer, network: networkOfRequest(request) })
      if (detailed.isStale) reply.header('x-stale', 'bids')
      return toDetailedListingView(detailed, settings)
    },
  )
  ownListingsRoute(app, ctx)
}

function ownListingsRoute(app: PublicApp, { db, settings }: Context): void {
  const response = routeResponses({ 200: z.array(ListedView) })
  const schema = { querystring: OwnListings, response }
  app.get('/api/users/me/listings', { config: { compress: true }, schema }, async (request, reply) => {
    const { limit, cursor, fields, status = null } = request.query
    const { userId: sellerId } = callerOf(request)
    const after = readCursor(TimeCursor, cursor)
    const [positions, counts] = await Promise.all([
      findSellerPositions(db, { sellerId, status, after, limit: limit + 1 }),
      countSellerListings(db, sellerId, maxTotal + 1),
    ])
    reply.header('x-total-count', formatTotal(counts.all)).header('x-active-count', formatTotal(counts.active))
    return page(request, reply, {
      ...(await readListed(db, positions)),
      limit,
      toView: ({ state }) => toListedView(toListingView(state, settings), fields),
      positionOf: ({ position }) => position,
    })
  })
}
