import { create } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionSchema,
  AuctionService,
  type Auction as AuctionMessage,
  type OpenAuctionRequest,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import type { ConnectRouter } from '@connectrpc/connect'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { availableBuyNowPrice } from './auction.ts'
import { findAuctions, type AuctionWithStatus, type NewAuction } from './auctions.repo.ts'
import { dropAuction } from './drop-auction.ts'
import { openAuction } from './open-auction.ts'

const maxIds = 100

const price = z.int().positive().transform(cents)

const NewAuctionRequest = z.object({
  listingId: Id,
  sellerId: Id,
  title: z.string().min(1),
  imageUrl: z.string(),
  startingBid: price,
  shipping: z.int().nonnegative().transform(cents),
  buyItNow: price.nullable(),
  endAt: z.date(),
})

export function auctionsRpc(router: ConnectRouter, ctx: Context): void {
  router.service(AuctionService, {
    async openAuction(request) {
      const result = await openAuction(ctx, parseNewAuction(request))
      if (result.kind === 'rejected') return { answer: { case: 'refused', value: result.message } }
      return { answer: { case: 'auction', value: toMessage(result.auction) } }
    },
    async getAuctions({ listingIds }) {
      if (listingIds.length > maxIds) throw invalid('listing_ids', `At most ${maxIds} auctions can be requested.`)
      const auctions = await findAuctions(ctx.db, listingIds.filter(isId))
      return { auctions: auctions.map(toMessage) }
    },
    async dropAuction({ listingId }) {
      if (!isId(listingId)) throw invalid('listing_id', 'Must be a listing id.')
      await dropAuction(ctx, listingId.toLowerCase())
      return {}
    },
  })
}

function parseNewAuction({ terms, buyItNowCents, endAt }: OpenAuctionRequest): NewAuction {
  const parsed = NewAuctionRequest.safeParse({
    listingId: terms?.listingId,
    sellerId: terms?.sellerId,
    title: terms?.title,
    imageUrl: terms?.imageUrl,
    startingBid: terms?.priceCents,
    shipping: terms?.shippingCents,
    buyItNow: buyItNowCents ?? null,
    endAt: endAt && timestampDate(endAt),
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(issue?.path.join('.') ?? 'terms', issue?.message ?? 'Is not valid')
}

function toMessage(auction: AuctionWithStatus): AuctionMessage {
  return create(AuctionSchema, {
    listingId: auction.listingId,
    startingBidCents: auction.startingBid,
    currentBidCents: auction.leadingBid?.amount,
    bidCount: auction.bidCount,
    number: BigInt(auction.number),
    endAt: timestampFromDate(auction.endAt),
    isOpen: auction.isOpen,
    buyItNowCents: availableBuyNowPrice(auction) ?? undefined,
  })
}
