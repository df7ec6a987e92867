import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from './keep-busy.ts'

const tickMs = 2

/**
 * Starts so much work a second, whether or not what was started before is answered: what waits is not spared from the
 * figures. Latencies count from the instant at which the work was due.
 */
export async function atRate(perSecond: number, ms: number, work: (number: number) => Promise<boolean>): Promise<Run> {
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
