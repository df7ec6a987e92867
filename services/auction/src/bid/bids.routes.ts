import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { sendAnswer } from '@marketplace/kit/idempotency-answers.ts'
import { keyedRequest } from '@marketplace/kit/idempotency-key.ts'
import { Id, isId } from '@marketplace/kit/ids.ts'
import { Cents, Dollars } from '@marketplace/kit/money.ts'
import { missing } from '@marketplace/kit/problem.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { BidBody } from './bid-answers.ts'
import { readBids, type HistoricBid } from './bids.repo.ts'
import { openBidDesk } from './place-bid.ts'

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

export function bidsRoutes(ctx: Context): (app: PublicApp) => void {
  const placeBid = openBidDesk(ctx)
  return (app) => {
    app.post(
      '/api/bids',
      { schema: { body: PlaceBidBody, response: answers({ 201: BidBody }) } },
      async (request, reply) => {
        const { listing_id: listingId, amount } = request.body
        const { userId: bidderId, name: bidderName } = callerOf(request)
        const keyed = keyedRequest(request)
        return sendAnswer(reply, await placeBid({ listingId, amount, bidderId, bidderName, keyed }))
      },
    )
    app.get(
      '/api/auctions/:id/bids',
      {
        config: { open: true },
        schema: { params: z.object({ id: z.string() }), response: answers({ 200: z.array(AuctionBid) }) },
      },
      async (request) => {
        const bids = isId(request.params.id) ? await readBids(ctx.db, request.params.id) : undefined
        if (!bids) throw missing('auction')
        return bids.map(toAuctionBid)
      },
    )
  }
}

function toAuctionBid({ id, amount, isWinning, placedAt, bidder }: HistoricBid): z.output<typeof AuctionBid> {
  return { id, amount, is_winning: isWinning, created_at: placedAt.toISOString(), bidder }
}
