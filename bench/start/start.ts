import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import { withoutPages, type ProgramName } from '@marketplace/stack/launcher/topology.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import type { Bench, Figure, Goal } from '../report/bench.ts'
import { memoryMiB } from '../harness/cpu.ts'
import { withStack } from '../harness/stack.ts'

const rounds = 3
const settleMs = 3000
const services: readonly ProgramName[] = [...schemas, 'gateway']

/** One measurement by service name. Of start times, `all` is the time until the last service is ready. */
type Values = Readonly<Record<string, number>>

interface Round {
  alone: Values
  concurrent: Values
  rss: Values
  pss: Values
}

export const start: Bench = {
  title: 'Start and memory',
  method: [
    'The services are stopped and started again several times, with Postgres up and migrated: each alone, and all at once. A time runs from before the process is spawned until it is ready. Memory is that of an idle process some seconds after its start: the resident set, and the proportional set, which counts shared pages (the text of Node) proportionally.',
  ],
  plots: [],
  run: (print) =>
    withStack({ only: withoutPages }, async (stack) => {
      const all: Round[] = []
      for (let number = 1; number <= rounds; number++) {
        const round = await startOnce(stack)
        print(`round ${number}: all ready after ${round.concurrent['all']?.toFixed(2) ?? '?'} s`)
        all.push(round)
      }
      const figures = figuresOf(all)
      return { versions: [], figures, goals: goalsOf(figures) }
    }),
}

async function startOnce({ services: programs }: Stack): Promise<Round> {
  const startOne = async (name: ProgramName): Promise<[string, number]> => {
    const startedAt = performance.now()
    await programs[name].start()
    return [name, (performance.now() - startedAt) / 1000]
  }
  const alone: [string, number][] = []
  for (const name of services) {
    await programs[name].stop()
    alone.push(await startOne(name))
  }
  await Promise.all(services.map((name) => programs[name].stop()))
  const concurrent = await Promise.all(services.map(startOne))
  await sleep(settleMs)
  const memory = services.map((name) => ({ name, ...memoryMiB(programs[name].pids()[0] ?? 0) }))
  return {
    alone: Object.fromEntries(alone),
    concurrent: { ...Object.fromEntries(concurrent), all: Math.max(...concurrent.map(([, seconds]) => seconds)) },
    rss: Object.fromEntries(memory.map(({ name, rss }) => [name, rss])),
    pss: Object.fromEntries(memory.map(({ name, pss }) => [name, pss])),
  }
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (name: string, kind: keyof Round) => rounds.map((round) => round[kind][name] ?? Number.NaN)
  const each = services.flatMap((name): Figure[] => [
    { of: name, side: 'idle', what: 'alone s', values: of(name, 'alone') },
    { of: name, side: 'idle', what: 'with all others s', values: of(name, 'concurrent') },
    { of: name, side: 'idle', what: 'resident MiB', values: of(name, 'rss') },
    { of: name, side: 'idle', what: 'proportional MiB', values: of(name, 'pss') },
  ])
  return [...each, { of: 'all', side: 'idle', what: 'with all others s', values: of('all', 'concurrent') }]
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const worst = (what: string) => {
    const all = figures.filter((figure) => figure.what === what).map(({ values }) => values)
    return (all[0] ?? []).map((_, round) => Math.max(...all.map((values) => values[round] ?? Number.NaN)))
  }
  return [
    { goal: 'Start: slowest service alone, s', bound: 'at most', target: 1, values: worst('alone s') },
    { goal: 'Start: all services at once, s', bound: 'at most', target: 3.75, values: worst('with all others s') },
    { goal: 'Memory: largest idle service, resident MiB', bound: 'at most', target: 75, values: worst('resident MiB') },
    {
      goal: 'Memory: largest idle service, proportional MiB',
      bound: 'at most',
      target: 75,
      values: worst('proportional MiB'),
    },
  ]
}
