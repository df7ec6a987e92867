import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** Describes the machine; counts only the cores that this process may use (`taskset -c 0,1`). */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${memory} GiB, Node ${process.versions.node}`
}

/** Returns the load average of the last minute: above the number of cores, processes had to wait. */
export function load(): number {
  return Number((loadavg()[0] ?? 0).toFixed(1))
}
