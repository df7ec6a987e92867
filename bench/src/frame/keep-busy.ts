import type { Measures } from './compare.ts'
import { quantile } from './statistics.ts'

export interface Run {
  /** Things done per second. */
  rate: number
  /** ms, one each. */
  latencies: readonly number[]
}

/** So many workers, each starting the next as soon as the last is answered, for so long. `work` says whether it counts. */
export async function keepBusy(workers: number, ms: number, work: (worker: number) => Promise<boolean>): Promise<Run> {
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
