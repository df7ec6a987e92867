import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import type { ProgramName } from '@marketplace/stack/launcher/topology.ts'
import type { Measures } from '../harness/compare.ts'
import { cpuSeconds } from '../harness/cpu.ts'
import type { Consumer } from './applied.ts'

export const services = ['auction', 'catalog', 'search'] as const satisfies readonly ProgramName[]

const settleMs = 5000
const sampleMs = 20_000

/** Starts measuring the CPU time of the consumers. Returns a function with the microseconds since then. */
export function startCpuClock(stack: Stack): (reader: Consumer) => number {
  const used = (reader: Consumer) => cpuSeconds(stack.services[reader].pids()) * 1e6
  const before = { catalog: used('catalog'), search: used('search') }
  return (reader) => used(reader) - before[reader]
}

/** Measures the CPU time of each service without requests and events. */
export async function idleCpu(stack: Stack): Promise<Measures[]> {
  await sleep(settleMs)
  const used = () => services.map((name) => cpuSeconds(stack.services[name].pids()))
  const [before, startedAt] = [used(), performance.now()]
  await sleep(sampleMs)
  const seconds = (performance.now() - startedAt) / 1000
  return used().map((after, place) => ({ 'CPU ms/s': ((after - (before[place] ?? 0)) * 1000) / seconds }))
}
