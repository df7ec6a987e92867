import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import type { Topic } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { createAuctionService } from '../service.ts'
import type { Stage } from './stage.ts'

export interface Neighbours {
  /** Sends an event twice under one id, as a relay may. */
  send<Desc extends DescMessage>(
    topic: Topic,
    schema: Desc,
    message: MessageInitShape<Desc> & { listingId?: string },
  ): Promise<void>
  close(): Promise<void>
}

/** A running service, closers and consumers included, and the bus on which other services speak to it. */
export async function startNeighbours(stage: Stage): Promise<Neighbours> {
  const running = createAuctionService(stage.settings)
  await running.start()
  const bus = await openBus(stage.settings, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  return {
    async send(topic, schema, message) {
      const event = {
        id: newId(),
        topic,
        key: message.listingId ?? newId(),
        type: schema.typeName,
        occurredAt: new Date().toISOString(),
        version: 1,
        traceparent: null,
        payload: toJson(schema, create(schema, message)),
      }
      await bus.publish([event, event])
    },
    async close() {
      await bus.close()
      await running.stop()
    },
  }
}
