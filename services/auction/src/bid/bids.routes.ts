import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { page, pageParameters, readCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { sendResponse } from '@marketplace/kit/idempotency/stored-responses.ts'
import { readIdempotentRequest } from '@marketplace/kit/idempotency/key.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { positiveDollars } from '@marketplace/kit/values/money.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AuctionBid, toAuctionBid } from './auction-bid.view.ts'
import type { BidDecider } from './bid-decider.ts'
import { BidBody } from './bid-responses.ts'
import { readBids } from './bids.repo.ts'
import { createPlaceBid, type PlaceBid } from './place-bid.ts'

const PlaceBidBody = z
  .object({
    listing_id: Id,
    amount: positiveDollars('Bid amount must be greater than $0.00'),
    confirm: z.boolean().optional().meta({
      description:
        'false: a bid more than 10 times and $500 above the price gets 409 `confirmation_needed`. Send true, under a new Idempotency-Key, once the bidder has confirmed it. Without this field no bid needs confirmation.',
    }),
  })
  .meta({ id: 'PlaceBid' })

/**
 * The amount of the last bid on the page. It identifies a position, because no two bids of an auction have the same
 * amount.
 */
const BidsCursor = z.object({ amount: z.int32().positive() })

export function bidsRoutes(app: PublicApp, ctx: Context, decider: BidDecider): void {
  placeBidRoute(app, createPlaceBid(decider))
  auctionBidsRoute(app, ctx)
}

function placeBidRoute(app: PublicApp, placeBid: PlaceBid): void {
  app.post(
    '/api/bids',
    { schema: { body: PlaceBidBody, response: routeResponses({ 201: BidBody }, 403, 404) } },
    async (request, reply) => {
      const { listing_id: listingId, amount, confirm } = request.body
      const { userId: bidderId, name: bidderName } = callerOf(request)
      const idempotencyKey = readIdempotentRequest(request)
      const bid = { listingId, amount, isUnconfirmed: confirm === false, bidderId, bidderName, idempotencyKey }
      return sendResponse(reply, await placeBid(bid))
    },
  )
}

function auctionBidsRoute(app: PublicApp, { db }: Context): void {
  app.get(
    '/api/auctions/:id/bids',
    {
      config: { open: true, compress: true },
      schema: {
        params: z.object({ id: z.string() }),
        querystring: querySchema(pageParameters),
        response: routeResponses({ 200: z.array(AuctionBid) }),
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const below = readCursor(BidsCursor, cursor)?.amount ?? null
      const { id } = request.params
      const rows = isId(id) ? await readBids(db, id, { below, limit: limit + 1 }) : undefined
      if (!rows) throw missing('auction')
      return page(request, reply, { rows, limit, toView: toAuctionBid, positionOf: ({ amount }) => ({ amount }) })
    },
  )
}
