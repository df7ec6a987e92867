import { ListedView, listedParameters, toListedView } from '@marketplace/contracts/listing-card.ts'
import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { formatTotal, page, pageParameters, readCursor, TimeCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { toListingView } from '../listing/listing.view.ts'
import { readWatchlist } from './read-watchlist.ts'
import { isWatched, unwatchListing, watchListing } from './watch-listing.ts'

const WatchlistQuery = querySchema({
  ...listedParameters,
  ...pageParameters,
  search: text({ max: 200 }).optional(),
})
const WatchListing = z.object({ listing_id: Id }).meta({ id: 'WatchListing' })
const Watched = z.strictObject({ isWatched: z.boolean() }).meta({ id: 'Watched' })
const params = z.object({ id: z.string() })

export function watchlistRoutes(app: PublicApp, ctx: Context): void {
  const { db } = ctx
  const response = routeResponses({ 200: Watched }, 403)
  app.get(
    '/api/watchlist',
    {
      config: { compress: true },
      schema: { querystring: WatchlistQuery, response: routeResponses({ 200: z.array(ListedView) }) },
    },
    async (request, reply) => {
      const { limit, cursor, search, fields } = request.query
      const { userId } = callerOf(request)
      const after = readCursor(TimeCursor, cursor)
      const { total, ...listed } = await readWatchlist(db, { userId, search: search || null, after, limit: limit + 1 })
      reply.header('x-total-count', formatTotal(total))
      return page(request, reply, {
        ...listed,
        limit,
        toView: ({ state }) => toListedView(toListingView(state, ctx.settings), fields),
        positionOf: ({ position }) => position,
      })
    },
  )
  app.get('/api/watchlist/check/:id', { schema: { params, response } }, async (request) => ({
    isWatched: await isWatched(db, { userId: callerOf(request).userId, listingId: request.params.id }),
  }))
  app.post(
    '/api/watchlist',
    { schema: { body: WatchListing, response: routeResponses({ 200: Watched }, 403, 404) } },
    (request, reply) =>
      runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
        await watchListing(ctx, trx, { userId: callerOf(request).userId, listingId: request.body.listing_id })
        return { isWatched: true }
      }),
  )
  app.delete('/api/watchlist/:id', { schema: { params, response } }, (request, reply) =>
    runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
      await unwatchListing(trx, { userId: callerOf(request).userId, listingId: request.params.id })
      return { isWatched: false }
    }),
  )
}
