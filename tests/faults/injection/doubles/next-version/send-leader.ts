import { clone, create, createFileRegistry, type DescMessage } from '@bufbuild/protobuf'
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt'
import {
  BidPlacedSchema,
  file_marketplace_auction_v1_auction as file,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import {
  toBidPlacedEvents as toEvents,
  toAcceptedBids,
} from '../../../../../services/auction/src/bid/evaluate-batch.ts'

export * from '../../../../../services/auction/src/bid/evaluate-batch.ts'

const schema = bidPlacedWithLeader()

/** Returns the events of the next version, with the masked name of the leading bidder. */
export function toBidPlacedEvents(
  ...[evaluated, placedAt]: Parameters<typeof toEvents>
): OutgoingEvent<typeof BidPlacedSchema>[] {
  const bids = toAcceptedBids(evaluated)?.bids ?? []
  const leaders = new Map(bids.map(({ id, maskedBidder: leader }) => [id, { leader }]))
  return toEvents(evaluated, placedAt).map((event) => ({
    ...event,
    schema,
    message: Object.assign(event.message, leaders.get(event.message.bidId ?? '')),
  }))
}

/** BidPlaced of the next version's contract, with `string leader = 9`: the masked name of the leading bidder. */
function bidPlacedWithLeader(): typeof BidPlacedSchema {
  const next = clone(FileDescriptorProtoSchema, file.proto)
  const leader = {
    name: 'leader',
    jsonName: 'leader',
    number: 9,
    type: FieldDescriptorProto_Type.STRING,
    label: FieldDescriptorProto_Label.OPTIONAL,
  }
  const message = next.messageType.find(({ name }) => name === BidPlacedSchema.name)
  message?.field.push(create(FieldDescriptorProtoSchema, leader))
  const dependencies = new Map(file.dependencies.map((dependency) => [dependency.proto.name, dependency]))
  const schema = createFileRegistry(next, (name) => dependencies.get(name)).getMessage(BidPlacedSchema.typeName)
  if (!isBidPlaced(schema)) throw new Error(`The contract has no ${BidPlacedSchema.typeName}.`)
  return schema
}

function isBidPlaced(schema: DescMessage | undefined): schema is typeof BidPlacedSchema {
  return schema?.typeName === BidPlacedSchema.typeName
}
