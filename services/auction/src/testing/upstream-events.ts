import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import type { Topic } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { createAuctionService } from '../service.ts'
import type { Harness } from './harness.ts'

export interface UpstreamEvents {
  /** Publishes an event twice under one id, as the relay does after a crash. */
  publish<Desc extends DescMessage>(
    topic: Topic,
    schema: Desc,
    message: MessageInitShape<Desc> & { listingId?: string },
  ): Promise<void>
  close(): Promise<void>
}

/** Starts a complete service, with closing sweeps and consumers, and a bus to publish the events of other services. */
export async function startUpstreamEvents(harness: Harness): Promise<UpstreamEvents> {
  const running = createAuctionService(harness.settings)
  await running.start()
  const bus = await openBus(harness.settings, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  return {
    async publish(topic, schema, message) {
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
