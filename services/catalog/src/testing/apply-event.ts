import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import type { ConsumerDefinition } from '@marketplace/kit/events/consumer.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { auctionNewsConsumer } from '../auction/auction-news.consumer.ts'
import { memberBlocksConsumer } from '../block/member-blocks.consumer.ts'
import type { CatalogTables, Db } from '../db.ts'
import { settledSalesConsumer } from '../sale/settled-sales.consumer.ts'

const consumers: readonly ConsumerDefinition<CatalogTables>[] = [
  auctionNewsConsumer,
  settledSalesConsumer,
  memberBlocksConsumer,
]

/** Applies an event with the handlers of its consumers. The inbox is not used, so a repeated event is applied again. */
export async function applyEvent<Desc extends DescMessage>(
  db: Db,
  schema: Desc,
  message: MessageInitShape<Desc>,
): Promise<void> {
  const event = toEvent(schema, message)
  await transaction(db, async (trx) => {
    for (const { handlers } of consumers) await handlers.find(({ type }) => type === event.type)?.apply(trx, [event])
  })
}

function toEvent<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): BusEvent {
  return {
    id: newId(),
    topic: 'tests',
    key: 'tests',
    type: schema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(schema, create(schema, message)),
  }
}
