import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

// One registry per process, read by /metrics on the internal port. It brings memory, descriptors, event loop lag and GC.
export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const latencies = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export const httpDuration = histogram(
  'http_request_duration_seconds',
  'Time from a request to its answer, by route template.',
  ['method', 'route', 'status'],
)

export function counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Counter({ name, help, labelNames, registers: [registry] })
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

/** What has to be looked up, mostly in the database, to set gauges just before a scrape is answered. */
export interface Reading {
  name: string
  read: () => Promise<void> | void
}

// Below Prometheus' own limit of 10 s: what is in memory is told also while the database is away.
const readingMs = 2000

const readings = new Set<Reading>()
const failedReadings = counter('metrics_failed_readings_total', 'Look-ups for gauges that gave nothing in 2 s.', [
  'reading',
])

/** Has these look-ups made at each scrape; answers how to end that. */
export function readAtScrape(added: readonly Reading[]): () => void {
  for (const reading of added) readings.add(reading)
  return () => {
    for (const reading of added) readings.delete(reading)
  }
}

/** The whole page for Prometheus. */
export async function scrape(): Promise<string> {
  await Promise.all([...readings].map(readInTime))
  return registry.metrics()
}

async function readInTime({ name, read }: Reading): Promise<void> {
  let overdue: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    overdue = setTimeout(() => reject(new Error('late')), readingMs)
  })
  try {
    await Promise.race([read(), late])
  } catch {
    failedReadings.inc({ reading: name })
  } finally {
    clearTimeout(overdue)
  }
}
