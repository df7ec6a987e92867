import { fromJson } from '@bufbuild/protobuf'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import type { AuctionUpdate } from './auction-state.ts'

const options = { ignoreUnknownFields: true }

/** Returns the auction update of an event; null for other event types. */
export function parseAuctionUpdate({ type, payload }: BusEvent): AuctionUpdate | null {
  if (type === BidPlacedSchema.typeName) {
    const { number, amountCents, bidCount } = fromJson(BidPlacedSchema, payload, options)
    return { number: Number(number), bid: { amount: cents(amountCents), count: bidCount }, hasEnded: false }
  }
  if (type === AuctionEndedSchema.typeName) {
    return { number: Number(fromJson(AuctionEndedSchema, payload, options).number), bid: null, hasEnded: true }
  }
  if (type === AuctionClosedSchema.typeName) {
    return { number: Number(fromJson(AuctionClosedSchema, payload, options).number), bid: null, hasEnded: true }
  }
  return null
}
