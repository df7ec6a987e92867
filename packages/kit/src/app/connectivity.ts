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

/** The connections that a process uses for its background work. The gateway only tails the bus. */
export interface Connectivity {
  bus: Bus
  /** Undefined if the process publishes no events. */
  relay?: Relay
  /** Subscriptions by consumer name. Undefined if the process has no consumers. */
  subscriptions?: ReadonlyMap<string, SupervisedSubscription | undefined>
}

/**
 * Returns one sentence for each lost connection of the background work. The process stays ready without these
 * connections; otherwise, a failure of the bus would make all processes unready at once.
 */
export function degradationsOf({ subscriptions = new Map(), ...connections }: Connectivity): string[] {
  const consumers = [...subscriptions].filter(([, subscription]) => (subscription?.pausedMs() ?? 0) > 0)
  return [
    ...(isBusReachable(connections) ? [] : ['event bus unreachable']),
    ...consumers.map(([name]) => `consumer ${name} paused: database unreachable`),
  ]
}

/** Returns the collector of the metrics that show how long the bus and each consumer have been disconnected. */
export function connectivityCollector({ subscriptions = new Map(), ...connections }: Connectivity): MetricCollector {
  let lostAt: number | undefined
  const collect = async () => {
    lostAt = isBusReachable(connections) ? undefined : (lostAt ?? performance.now())
    unreachable.set(lostAt === undefined ? 0 : (performance.now() - lostAt) / 1000)
    for (const [consumer, subscription] of subscriptions)
      paused.set({ consumer }, (subscription?.pausedMs() ?? 0) / 1000)
  }
  return { name: 'connectivity', collect }
}

function isBusReachable({ bus, relay }: Pick<Connectivity, 'bus' | 'relay'>): boolean {
  return bus.isHealthy() && relay?.hasSteppedDown() !== true
}
