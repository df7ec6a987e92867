import type { Measures } from './compare.ts'
import { quantile } from '../report/statistics.ts'

export interface Run {
  /** Completed operations per second. */
  rate: number
  /** In ms, one for each operation. */
  latencies: readonly number[]
}

/** Runs workers that each start the next operation when the last has completed. `work` returns whether it counts. */
export async function closedLoop(
  workers: number,
  ms: number,
  work: (worker: number) => Promise<boolean>,
): Promise<Run> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + ms
  const busy = async (worker: number) => {
    while (performance.now() < end) {
      const before = performance.now()
      if (await work(worker)) latencies.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => busy(worker)))
  return { rate: (latencies.length * 1000) / (performance.now() - start), latencies }
}

export function measuresOf({ rate, latencies }: Run, thing: string): Measures {
  return { [`${thing}/s`]: rate, 'p50 ms': quantile(latencies, 0.5), 'p99 ms': quantile(latencies, 0.99) }
}
