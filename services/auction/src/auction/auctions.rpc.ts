import { create } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionSchema,
  AuctionService,
  type Auction as AuctionMessage,
  type OpenAuctionRequest,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { Id, isId } from '@marketplace/kit/ids.ts'
import { cents, type Cents } from '@marketplace/kit/money.ts'
import { invalid } from '@marketplace/kit/problem.ts'
import type { ConnectRouter } from '@connectrpc/connect'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { openBuyItNow } from './auction.ts'
import { readAuctions, type AuctionReading, type NewAuction } from './auctions.repo.ts'
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

export function auctionsRpc(ctx: Context): (router: ConnectRouter) => void {
  return (router) => {
    router.service(AuctionService, {
      async openAuction(request) {
        const opening = await openAuction(ctx, parseNewAuction(request))
        if (opening.kind === 'refused') return { answer: { case: 'refused', value: opening.reason } }
        return { answer: { case: 'auction', value: toMessage(opening.reading) } }
      },
      async getAuctions({ listingIds }) {
        if (listingIds.length > maxIds) throw invalid('listing_ids', `Ask for at most ${maxIds} auctions.`)
        const readings = await readAuctions(ctx.db, listingIds.filter(isId))
        return { auctions: readings.map(toMessage) }
      },
    })
  }
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

function toMessage({ auction, isOpen }: AuctionReading): AuctionMessage {
  return create(AuctionSchema, {
    listingId: auction.listingId,
    startingBidCents: auction.startingBid,
    currentBidCents: auction.lead?.amount,
    bidCount: auction.bidCount,
    number: BigInt(auction.number),
    endAt: timestampFromDate(auction.endAt),
    isOpen,
    buyItNowCents: orUnset(openBuyItNow(auction)),
  })
}

function orUnset(amount: Cents | null): Cents | undefined {
  return amount ?? undefined
}
