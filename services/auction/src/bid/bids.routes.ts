import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { Id, isId } from '@marketplace/kit/ids.ts'
import { Cents, Dollars } from '@marketplace/kit/money.ts'
import { missing } from '@marketplace/kit/problem.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { readBids, type HistoricBid } from './bids.repo.ts'
import { placeBid, type PlacedBid } from './place-bid.ts'

const PlaceBidBody = z
  .object({
    listing_id: Id,
    amount: Dollars.refine((amount) => amount > 0, 'Bid amount must be greater than $0.00'),
  })
  .meta({ id: 'PlaceBid' })

const BidAnswer = z
  .object({
    id: z.uuidv7(),
    listing_id: z.uuidv7(),
    user_id: z.uuidv7(),
    amount: Cents,
    is_winning: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    current_bid: Cents,
    bid_count: z.int(),
    auction_end_date: z.iso.datetime(),
  })
  .meta({ id: 'Bid' })

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
  return (app) => {
    app.post('/api/bids', { schema: { body: PlaceBidBody, response: { 201: BidAnswer } } }, async (request, reply) => {
      const { listing_id: listingId, amount } = request.body
      const { userId: bidderId, name: bidderName } = callerOf(request)
      return reply.code(201).send(toBidAnswer(await placeBid(ctx, { listingId, amount, bidderId, bidderName })))
    })
    app.get(
      '/api/auctions/:id/bids',
      {
        config: { open: true },
        schema: { params: z.object({ id: z.string() }), response: { 200: z.array(AuctionBid) } },
      },
      async (request) => {
        const bids = isId(request.params.id) ? await readBids(ctx.db, request.params.id) : undefined
        if (!bids) throw missing('auction')
        return bids.map(toAuctionBid)
      },
    )
  }
}

function toBidAnswer({ bid, placedAt, auction }: PlacedBid): z.output<typeof BidAnswer> {
  return {
    id: bid.id,
    listing_id: auction.listingId,
    user_id: bid.bidderId,
    amount: bid.amount,
    is_winning: auction.lead?.id === bid.id,
    created_at: placedAt.toISOString(),
    updated_at: placedAt.toISOString(),
    current_bid: auction.lead?.amount ?? bid.amount,
    bid_count: auction.bidCount,
    auction_end_date: auction.endAt.toISOString(),
  }
}

function toAuctionBid({ id, amount, isWinning, placedAt, bidder }: HistoricBid): z.output<typeof AuctionBid> {
  return { id, amount, is_winning: isWinning, created_at: placedAt.toISOString(), bidder }
}
