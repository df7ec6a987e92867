import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { sendResponse } from '@marketplace/kit/idempotency/stored-responses.ts'
import { readIdempotentRequest } from '@marketplace/kit/idempotency/key.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { Cents, Dollars } from '@marketplace/kit/values/money.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { BidDecider } from './bid-decider.ts'
import { BidBody } from './bid-responses.ts'
import { readBids, type BidHistoryEntry } from './bids.repo.ts'
import { createPlaceBid } from './place-bid.ts'

const PlaceBidBody = z
  .object({
    listing_id: Id,
    amount: Dollars.refine((amount) => amount > 0, 'Bid amount must be greater than $0.00'),
  })
  .meta({ id: 'PlaceBid' })

const AuctionBid = z
  .object({
    id: z.uuidv7(),
    amount: Cents,
    is_winning: z.boolean(),
    created_at: z.iso.datetime(),
    bidder: z.string().meta({ description: 'A masked name, a***e' }),
  })
  .meta({ id: 'AuctionBid' })

export function bidsRoutes(app: PublicApp, ctx: Context, decider: BidDecider): void {
  const placeBid = createPlaceBid(decider)
  app.post(
    '/api/bids',
    { schema: { body: PlaceBidBody, response: routeResponses({ 201: BidBody }) } },
    async (request, reply) => {
      const { listing_id: listingId, amount } = request.body
      const { userId: bidderId, name: bidderName } = callerOf(request)
      const idempotencyKey = readIdempotentRequest(request)
      return sendResponse(reply, await placeBid({ listingId, amount, bidderId, bidderName, idempotencyKey }))
    },
  )
  app.get(
    '/api/auctions/:id/bids',
    {
      config: { open: true },
      schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: z.array(AuctionBid) }) },
    },
    async (request) => {
      const bids = isId(request.params.id) ? await readBids(ctx.db, request.params.id) : undefined
      if (!bids) throw missing('auction')
      return bids.map(toAuctionBid)
    },
  )
}

function toAuctionBid({ id, amount, isWinning, placedAt, maskedBidder }: BidHistoryEntry): z.output<typeof AuctionBid> {
  return { id, amount, is_winning: isWinning, created_at: placedAt.toISOString(), bidder: maskedBidder }
}
