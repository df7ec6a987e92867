import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { Bus } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openAuction } from './fake-auction.ts'

/** Publishes an event of an auction. */
export async function publishEvent<Schema extends DescMessage>(
  bus: Bus,
  listingId: string,
  [schema, message]: [Schema, MessageInitShape<Schema>],
): Promise<void> {
  const event = {
    id: newId(),
    topic: topics.auction,
    key: listingId,
    type: schema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(schema, create(schema, message)),
  }
  await bus.publish([event])
}

/**
 * Publishes the event of the auction's bid number `count`. An empty `bidderMask` makes it an event of the previous
 * version.
 */
export async function publishBid(bus: Bus, listingId: string, count: number, bidderMask = 'a***e'): Promise<string> {
  const bidId = newId()
  const message = {
    listingId,
    bidId,
    amountCents: 1000 + count * 100,
    bidCount: count,
    number: BigInt(count),
    placedAt: timestampFromDate(new Date()),
    endAt: timestampFromDate(new Date(openAuction.auction_end_date)),
    bidderMask,
  }
  await publishEvent(bus, listingId, [BidPlacedSchema, message])
  return bidId
}
