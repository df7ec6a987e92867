import type { Options, Scenario } from 'k6/options'

/** Returns a scenario with a constant arrival rate, whether or not earlier requests have completed. */
export function arrivals(
  exec: string,
  rate: number,
  duration: string,
  users = { first: rate * 2, most: rate * 20 },
): Scenario {
  const { first: preAllocatedVUs, most: maxVUs } = users
  return { executor: 'constant-arrival-rate', exec, rate, timeUnit: '1s', duration, preAllocatedVUs, maxVUs }
}

type Thresholds = NonNullable<Options['thresholds']>

/** Thresholds of every load: no iteration was dropped, and no response was wrong. */
export function thresholds(more: Thresholds = {}): Thresholds {
  return { dropped_iterations: ['count==0'], right_answers: ['rate>0.999'], ...more }
}

/** Thresholds for p95 and p99 of the requests of this name, ms. */
export function times(name: string, p95: number, p99: number): Thresholds {
  return { [`http_req_duration{name:${name}}`]: [`p(95)<${p95}`, `p(99)<${p99}`] }
}

export const summaryTrendStats = ['med', 'p(95)', 'p(99)', 'max']
