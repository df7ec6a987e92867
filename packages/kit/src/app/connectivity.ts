import type { Bus } from '../events/bus.ts'
import type { Relay } from '../events/relay.ts'
import type { SupervisedSubscription } from '../events/supervised-subscription.ts'
import { gauge, type MetricCollector } from '../telemetry/metrics.ts'

const unreachable = gauge(
  'event_bus_unreachable_seconds',
  'Time that this process has not reached the bus; otherwise 0.',
)
const paused = gauge(
  'consumer_paused_seconds',
  'Time that this process has been without the partitions of a consumer: database unreachable; otherwise 0.',
  ['consumer'],
)

/** The connections that a process uses for its background work. */
export interface Connectivity {
  bus: Bus
  relay: Relay
  /** Subscriptions by consumer name. */
  subscriptions: ReadonlyMap<string, SupervisedSubscription | undefined>
}

/**
 * Returns one sentence for each lost connection of the background work. The process stays ready without these
 * connections; otherwise, a failure of the bus would make all processes unready at once.
 */
export function degradationsOf({ bus, relay, subscriptions }: Connectivity): string[] {
  const consumers = [...subscriptions].filter(([, subscription]) => (subscription?.pausedMs() ?? 0) > 0)
  return [
    ...(isBusReachable({ bus, relay }) ? [] : ['event bus unreachable']),
    ...consumers.map(([name]) => `consumer ${name} paused: database unreachable`),
  ]
}

/** Returns the collector of the metrics that show how long the bus and each consumer have been disconnected. */
export function connectivityCollector({ bus, relay, subscriptions }: Connectivity): MetricCollector {
  let lostAt: number | undefined
  const collect = async () => {
    lostAt = isBusReachable({ bus, relay }) ? undefined : (lostAt ?? performance.now())
    unreachable.set(lostAt === undefined ? 0 : (performance.now() - lostAt) / 1000)
    for (const [consumer, subscription] of subscriptions)
      paused.set({ consumer }, (subscription?.pausedMs() ?? 0) / 1000)
  }
  return { name: 'connectivity', collect }
}

function isBusReachable({ bus, relay }: Pick<Connectivity, 'bus' | 'relay'>): boolean {
  return bus.isHealthy() && !relay.hasSteppedDown()
}
