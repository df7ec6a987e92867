import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus, BusEvent } from '@marketplace/kit/events/bus.ts'
import { startConsumer, type ConsumerDefinition } from '@marketplace/kit/events/consumer.ts'
import { callsOf } from '@marketplace/kit/events/event-handlers.ts'
import { transaction, type Db } from '@marketplace/kit/db/db.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestDatabase } from './database.ts'
import { eventually } from './eventually.ts'

const log = openLog('test', 'silent')

/** Builds an event about a listing as another service publishes it. */
export function upstreamEvent<Desc extends DescMessage>(
  topic: string,
  schema: Desc,
  message: MessageInitShape<Desc>,
  listingId: string,
): BusEvent {
  return {
    id: newId(),
    topic,
    key: listingId,
    type: schema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(schema, create(schema, message)),
  }
}

/**
 * Applies events in one transaction, as a consumer applies a batch. The inbox is not used, so an event that is passed again
 * is applied again.
 */
export async function applyBatch<Tables>(
  db: Db<Tables>,
  definition: ConsumerDefinition<Tables>,
  events: readonly BusEvent[],
): Promise<void> {
  await transaction(db, async (trx) => {
    for (const call of callsOf(definition, events)) await call.handler.apply(trx, call.events)
  })
}

export interface DeliveryOptions {
  /** If true, the handler of each batch throws once after its commit, so that the bus delivers the batch again. */
  isAcknowledgementLost?: boolean
}

/** Publishes events with one call and waits until the consumer has applied them. Returns the number of delivered batches. */
export async function deliver<Tables>(
  { database, db }: { database: TestDatabase; db: Db<Tables> },
  [definition, events]: [definition: ConsumerDefinition<Tables>, events: readonly BusEvent[]],
  { isAcknowledgementLost = false }: DeliveryOptions = {},
): Promise<number> {
  const bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, log)
  await eventually(() => bus.isHealthy())
  await bus.publish(events)
  const counted = countBatches(bus, isAcknowledgementLost)
  const consumer = await startConsumer({ db, bus: counted, group: `test.${newId()}`, definition, log })
  await eventually(() => counted.isSettled(events), 60_000)
  await consumer.close()
  await bus.close()
  return counted.batches()
}

interface CountingBus extends Bus {
  batches(): number
  /** Returns whether all events were applied, and each batch with a lost acknowledgement was delivered again. */
  isSettled(events: readonly BusEvent[]): boolean
}

function countBatches(bus: Bus, isAcknowledgementLost: boolean): CountingBus {
  const lost = new Set<string>()
  const applied = new Set<string>()
  let batches = 0
  return {
    ...bus,
    batches: () => batches,
    isSettled: (events) => events.every(({ id }) => applied.has(id)) && batches >= 2 * lost.size,
    consume: (options) =>
      bus.consume({
        ...options,
        async handler(batch) {
          await options.handler(batch)
          batches += 1
          for (const { id } of batch) applied.add(id)
          const first = batch[0]?.id ?? ''
          if (isAcknowledgementLost && !lost.has(first)) {
            lost.add(first)
            throw new Error('The consumer died before it acknowledged the batch.')
          }
        },
      }),
  }
}
