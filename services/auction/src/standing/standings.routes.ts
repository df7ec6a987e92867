import { missing } from '@marketplace/kit/errors/problem.ts'
import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { page, pageParameters, readCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { readAuction } from './read-auction.ts'
import { AuctionView, OwnBids, toAuctionView, toOwnBids } from './standing.view.ts'
import { listStandings, type BidStatus } from './standings.repo.ts'

const standingsByState = {
  active: ['leading', 'outbid'],
  won: ['won'],
  lost: ['lost'],
  all: ['leading', 'outbid', 'won', 'lost'],
} satisfies Record<string, readonly BidStatus[]>

const OwnBidsQuery = querySchema({
  ...pageParameters,
  state: z.enum(['active', 'won', 'lost']).optional().meta({ description: 'Without it, all auctions are returned.' }),
})

const OwnBidsCursor = z.strictObject({ listing_id: Id })

// Greatest possible UUID, with which the first page starts, in descending order of listing ids.
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export function standingsRoutes(app: PublicApp, ctx: Context): void {
  auctionRoute(app, ctx)
  ownBidsRoute(app, ctx)
}

function auctionRoute(app: PublicApp, { db }: Context): void {
  app.get(
    '/api/auctions/:id',
    {
      config: { open: true },
      schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: AuctionView }) },
    },
    async (request) => {
      const { id } = request.params
      const userId = request.caller?.userId ?? null
      const read = isId(id) ? await readAuction(db, id, userId) : undefined
      if (!read) throw missing('auction')
      return toAuctionView(read.found, read.bids, userId !== null)
    },
  )
}

function ownBidsRoute(app: PublicApp, { db, settings }: Context): void {
  const schema = { querystring: OwnBidsQuery, response: routeResponses({ 200: z.array(OwnBids) }) }
  app.get('/api/users/me/bids', { config: { compress: true }, schema }, async (request, reply) => {
    const { limit, cursor, state = 'all' } = request.query
    const below = readCursor(OwnBidsCursor, cursor)?.listing_id ?? greatestId
    const among = standingsByState[state]
    const rows = await listStandings(db, callerOf(request).userId, { among, below, limit: limit + 1 })
    return page(request, reply, {
      rows,
      limit,
      toView: (found) => toOwnBids(found, settings.PICTURES_ORIGIN),
      positionOf: ({ auction }) => ({ listing_id: auction.listingId }),
    })
  })
}
