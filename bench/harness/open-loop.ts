import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from './closed-loop.ts'

const tickMs = 2

/**
 * Starts work at a fixed rate, whether or not earlier work has completed, so that waiting is included in the figures.
 * Latencies run from the instant at which the work was due.
 */
export async function openLoop(
  perSecond: number,
  ms: number,
  work: (number: number) => Promise<boolean>,
): Promise<Run> {
  const latencies: number[] = []
  const under: Promise<void>[] = []
  const start = performance.now()
  const begin = async (number: number) => {
    const dueAt = start + (number * 1000) / perSecond
    if (await work(number)) latencies.push(performance.now() - dueAt)
  }
  const total = Math.round((perSecond * ms) / 1000)
  while (under.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - start) * perSecond) / 1000))
    while (under.length < due) under.push(begin(under.length))
    await sleep(tickMs)
  }
  await Promise.all(under)
  return { rate: (latencies.length * 1000) / (performance.now() - start), latencies }
}
