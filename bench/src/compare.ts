/** One run of one side: what was done, in how long, and how long each took. */
export interface Run {
  /** Things done per second. */
  rate: number
  /** ms, one each. */
  latencies: readonly number[]
}

export interface Side {
  name: string
  run(ms: number): Promise<Run>
}

export interface Figures {
  name: string
  rate: Spread
  p50: Spread
  p99: Spread
}

export interface Spread {
  median: number
  least: number
  most: number
}

export interface Rounds {
  /** Each side's first run does not count. */
  warmUpMs: number
  count: number
  ms: number
}

/** Runs all sides in turn, round after round, so that what the machine does beside meets all of them. */
export async function compare(sides: readonly Side[], rounds: Rounds): Promise<Figures[]> {
  const runs = new Map(sides.map((side): [Side, Run[]] => [side, []]))
  for (const side of sides) await side.run(rounds.warmUpMs)
  for (let round = 0; round < rounds.count; round++) {
    for (const [side, done] of runs) done.push(await side.run(rounds.ms))
  }
  return [...runs].map(([{ name }, done]) => ({
    name,
    rate: spread(done.map(({ rate }) => rate)),
    p50: spread(done.map(({ latencies }) => quantile(latencies, 0.5))),
    p99: spread(done.map(({ latencies }) => quantile(latencies, 0.99))),
  }))
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

export function spread(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), least: Math.min(...values), most: Math.max(...values) }
}

/** The nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
