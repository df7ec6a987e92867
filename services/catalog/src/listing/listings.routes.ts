import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { CreateListingBody, toDraft } from './create-listing.body.ts'
import { createListing } from './create-listing.ts'
import { DetailedListingView, ListingView, toDetailedListingView, toListingView } from './listing.view.ts'
import { readDetailedListing, readOwnListings } from './read-listing.ts'

export function listingsRoutes(ctx: Context): (app: PublicApp) => void {
  return (app) => {
    app.post(
      '/api/listings',
      { schema: { body: CreateListingBody, response: { 201: DetailedListingView } } },
      async (request, reply) => {
        const { userId, name: sellerName } = callerOf(request)
        const listing = await createListing(ctx, userId, toDraft(request.body))
        const { isActive } = listing
        const made = { listing, sellerName, isActive, currentBid: null, bidCount: 0, isStale: false }
        return reply.code(201).send(toDetailedListingView(made))
      },
    )
    app.get(
      '/api/listings/:id',
      {
        config: { open: true },
        schema: { params: z.object({ id: z.string() }), response: { 200: DetailedListingView } },
      },
      async (request, reply) => {
        const detailed = await readDetailedListing(ctx, request.params.id)
        if (detailed.isStale) reply.header('x-stale', 'bids')
        return toDetailedListingView(detailed)
      },
    )
    app.get('/api/users/me/listings', { schema: { response: { 200: z.array(ListingView) } } }, async (request) =>
      (await readOwnListings(ctx, callerOf(request).userId)).map(toListingView),
    )
  }
}
