import { fromJson } from '@bufbuild/protobuf'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { BusEvent } from '@marketplace/kit/bus.ts'
import { cents } from '@marketplace/kit/money.ts'
import type { AuctionNews } from './auction-state.ts'

const options = { ignoreUnknownFields: true }

/** What an event says about its auction; null for one of another kind. */
export function readNews({ type, payload }: BusEvent): AuctionNews | null {
  if (type === BidPlacedSchema.typeName) {
    const { number, amountCents, bidCount } = fromJson(BidPlacedSchema, payload, options)
    return { number: Number(number), bid: { amount: cents(amountCents), count: bidCount }, isOver: false }
  }
  if (type === AuctionEndedSchema.typeName) {
    return { number: Number(fromJson(AuctionEndedSchema, payload, options).number), bid: null, isOver: true }
  }
  if (type === AuctionClosedSchema.typeName) {
    return { number: Number(fromJson(AuctionClosedSchema, payload, options).number), bid: null, isOver: true }
  }
  return null
}
