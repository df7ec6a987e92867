import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** What the figures were taken on; of the cores, only those this process may use (`taskset -c 0,1`). */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${memory} GiB, Node ${process.versions.node}`
}

/** How much wanted to run in the last minute: above the number of cores, somebody had to wait. */
export function load(): number {
  return Number((loadavg()[0] ?? 0).toFixed(1))
}
