import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/dev/stack.ts'
import { SCHEMAS, withoutPages, type ProgramName } from '@marketplace/dev/wiring.ts'
import type { Bench, Figure, Goal } from './frame/bench.ts'
import { memoryMiB } from './frame/cpu.ts'
import { withStack } from './frame/stack.ts'

const rounds = 3
const settleMs = 3000
const services: readonly ProgramName[] = [...SCHEMAS, 'gateway']

/** By service; `all` is the time until the last one. */
type Values = Readonly<Record<string, number>>

interface Round {
  alone: Values
  together: Values
  rss: Values
  pss: Values
}

export const start: Bench = {
  title: 'Start and memory',
  method: [
    'The services are stopped and started again several times, with Postgres up and migrated: each alone, and all at once. A time runs from before the process is spawned until it answers readiness. Memory is that of an idle process some seconds after its start: the resident set, and the proportional one, in which what it shares with the others (the text of Node) counts by its part.',
  ],
  plots: [],
  run: (print) =>
    withStack({ only: withoutPages }, async (stack) => {
      const all: Round[] = []
      for (let number = 1; number <= rounds; number++) {
        const round = await startOnce(stack)
        print(`round ${number}: all ready after ${round.together['all']?.toFixed(2) ?? '?'} s`)
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
  const together = await Promise.all(services.map(startOne))
  await sleep(settleMs)
  const memory = services.map((name) => ({ name, ...memoryMiB(programs[name].pids()[0] ?? 0) }))
  return {
    alone: Object.fromEntries(alone),
    together: { ...Object.fromEntries(together), all: Math.max(...together.map(([, seconds]) => seconds)) },
    rss: Object.fromEntries(memory.map(({ name, rss }) => [name, rss])),
    pss: Object.fromEntries(memory.map(({ name, pss }) => [name, pss])),
  }
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (name: string, kind: keyof Round) => rounds.map((round) => round[kind][name] ?? Number.NaN)
  const each = services.flatMap((name): Figure[] => [
    { of: name, side: 'idle', what: 'alone s', values: of(name, 'alone') },
    { of: name, side: 'idle', what: 'with all others s', values: of(name, 'together') },
    { of: name, side: 'idle', what: 'resident MiB', values: of(name, 'rss') },
    { of: name, side: 'idle', what: 'proportional MiB', values: of(name, 'pss') },
  ])
  return [...each, { of: 'all', side: 'idle', what: 'with all others s', values: of('all', 'together') }]
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
