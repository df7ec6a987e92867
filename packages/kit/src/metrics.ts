import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

// One registry per process, read by /metrics on the internal port.
export const registry = new Registry()
collectDefaultMetrics({ register: registry })

export const httpDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its answer, by route template.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
})

export function counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Counter({ name, help, labelNames, registers: [registry] })
}

export function gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
  return new Gauge({ name, help, labelNames, registers: [registry] })
}
