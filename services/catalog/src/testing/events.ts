import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import type { BusEvent } from '@marketplace/kit/bus.ts'
import type { ConsumerDefinition } from '@marketplace/kit/consumer.ts'
import { transaction } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { auctionNews } from '../auction/auctions.events.ts'
import type { CatalogTables, Db } from '../db.ts'
import { settledSales } from '../sale/sales.events.ts'

const consumers: readonly ConsumerDefinition<CatalogTables>[] = [auctionNews, settledSales]

/** Applies an event as its consumer does, each time anew. */
export async function applyEvent<Desc extends DescMessage>(
  db: Db,
  schema: Desc,
  message: MessageInitShape<Desc>,
): Promise<void> {
  const event = toEvent(schema, message)
  await transaction(db, async (trx) => {
    for (const { handlers } of consumers) await handlers.find(({ type }) => type === event.type)?.read(event)(trx)
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
