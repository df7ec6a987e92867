import type { Bus, Subscription } from '@marketplace/kit/events/bus.ts'
import { startConsumer as start, type ConsumerOptions } from '@marketplace/kit/events/consumer.ts'

export * from '@marketplace/kit/events/consumer.ts'

/** Passes the events of each batch to the handler in reverse order. */
export function startConsumer<Tables>(options: ConsumerOptions<Tables>): Promise<Subscription> {
  const { bus } = options
  const consume: Bus['consume'] = ({ handler, ...subscription }) =>
    bus.consume({ ...subscription, handler: (batch) => handler(batch.toReversed()) })
  return start({ ...options, bus: { ...bus, consume } })
}
