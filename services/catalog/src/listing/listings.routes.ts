import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { answerOnceAfter } from '@marketplace/kit/idempotency.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { viewerOf } from '../view/viewer.ts'
import { CreateListingBody, toDraft } from './create-listing.body.ts'
import { createListing, prepareListing } from './create-listing.ts'
import { DetailedListingView, ListingView, toDetailedListingView, toListingView } from './listing.view.ts'
import { readDetailedListing, readOwnListings } from './read-listing.ts'

const params = z.object({ id: z.string() })

export function listingsRoutes(ctx: Context): (app: PublicApp) => void {
  const { db, views } = ctx
  return (app) => {
    app.post(
      '/api/listings',
      { schema: { body: CreateListingBody, response: answers({ 201: DetailedListingView }) } },
      (request, reply) => {
        const { userId, name: sellerName } = callerOf(request)
        const prepare = () => prepareListing(ctx, userId, toDraft(request.body))
        return answerOnceAfter({ db, request, reply, status: 201 }, prepare, async (trx, prepared) => {
          const listing = await createListing(trx, prepared)
          const { isActive } = listing
          return toDetailedListingView({ listing, sellerName, isActive, currentBid: null, bidCount: 0, isStale: false })
        })
      },
    )
    app.get(
      '/api/listings/:id',
      { config: { open: true }, schema: { params, response: answers({ 200: DetailedListingView }) } },
      async (request, reply) => {
        const detailed = await readDetailedListing(ctx, request.params.id)
        const viewer = viewerOf(request)
        const { id: listingId, sellerId } = detailed.listing
        if (viewer && request.caller?.userId !== sellerId) views.add({ listingId, viewer })
        if (detailed.isStale) reply.header('x-stale', 'bids')
        return toDetailedListingView(detailed)
      },
    )
    app.get(
      '/api/users/me/listings',
      { schema: { response: answers({ 200: z.array(ListingView) }) } },
      async (request) => (await readOwnListings(ctx, callerOf(request).userId)).map(toListingView),
    )
  }
}
