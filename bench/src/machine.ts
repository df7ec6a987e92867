import { cpus, loadavg, totalmem } from 'node:os'

/** One line: what the figures were taken on. */
export function describeMachine(postgres: string): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1) ?? '?'
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${memory} GiB, Node ${process.versions.node}, ${postgres}, load ${load}`
}
