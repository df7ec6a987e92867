import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics, type LabelValues } from 'prom-client'

// One registry per process, served at /metrics on the internal port.
// The default metrics cover memory, file descriptors, event loop lag and garbage collection.
export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const latencies = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export const httpDuration = histogram('http_request_duration_seconds', 'Request duration, by route template.', [
  'method',
  'route',
  'status',
])

export function counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Counter({ name, help, labelNames, registers: [registry] })
}

/**
 * Starts the series of these labels at 0 and returns the counter. Otherwise, a series begins with its first event, which
 * Prometheus' `increase()` does not count, because it sees no earlier value. Needed if single events matter to an alert.
 */
export function startAtZero<Label extends string>(
  counter: Counter<Label>,
  labels: readonly LabelValues<Label>[],
): Counter<Label> {
  for (const values of labels) counter.inc(values, 0)
  return counter
}

export function gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Gauge({ name, help, labelNames, registers: [registry] })
}

export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  buckets: readonly number[] = latencies,
) {
  return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] })
}

/** Sets gauges at scrape time, mostly to values that it reads from the database. */
export interface MetricCollector {
  name: string
  collect: () => Promise<void> | void
}

// Maximum time of one collector, in ms. It is shorter than Prometheus' scrape timeout of 10 s, so that the other
// metrics are exported even while the database is unavailable.
const collectTimeoutMs = 2000

const collectors = new Set<MetricCollector>()
const failedCollections = counter(
  'metrics_failed_readings_total',
  'Metric collectors that failed or took longer than 2 s.',
  ['reading'],
)

/** Registers collectors that run at each scrape. Returns a function that removes the collectors. */
export function registerCollectors(added: readonly MetricCollector[]): () => void {
  for (const collector of added) collectors.add(collector)
  return () => {
    for (const collector of added) collectors.delete(collector)
  }
}

/** Returns all metrics in the Prometheus text format. */
export async function scrape(): Promise<string> {
  await Promise.all([...collectors].map(collectWithTimeout))
  return registry.metrics()
}

async function collectWithTimeout({ name, collect }: MetricCollector): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), collectTimeoutMs)
  })
  try {
    await Promise.race([collect(), timeout])
  } catch {
    failedCollections.inc({ reading: name })
  } finally {
    clearTimeout(timer)
  }
}
