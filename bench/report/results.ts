import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Outcome } from './bench.ts'

const StoredRun = Outcome.extend({
  at: z.iso.datetime(),
  machine: z.string(),
  /** The load averages before and after the run. */
  load: z.tuple([z.number(), z.number()]),
})

const Results = z.object({ runs: z.array(StoredRun) })

export type StoredRun = z.output<typeof StoredRun>

const folder = join(import.meta.dirname, '../results')
// Older runs are dropped.
const maxRuns = 4

// Terms in the labels of earlier runs, with the present ones. Goals of several runs are compared by their label.
const presentTerms: readonly (readonly [former: string, present: string])[] = [
  ['bid answered to the last', 'response to a bid until the last'],
  ['that were not answered right', 'without the expected response'],
  ['answers/s', 'responses/s'],
  ['watcher', 'subscriber'],
]

/** Returns the stored runs of a bench, newest first; an empty list when it never ran. */
export async function readResults(name: string): Promise<StoredRun[]> {
  const text = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '{"runs":[]}')
  return Results.parse(JSON.parse(text)).runs.map(inPresentTerms)
}

/** Returns a run whose labels have the present terms. */
export function inPresentTerms(run: StoredRun): StoredRun {
  const rename = (label: string) =>
    presentTerms.reduce((text, [former, present]) => text.replaceAll(former, present), label)
  return {
    ...run,
    figures: run.figures.map((figure) => ({
      ...figure,
      of: rename(figure.of),
      side: rename(figure.side),
      what: rename(figure.what),
    })),
    goals: run.goals.map((goal) => ({ ...goal, goal: rename(goal.goal) })),
  }
}

export async function storeResult(name: string, run: z.input<typeof StoredRun>): Promise<void> {
  const runs = [rounded(StoredRun.parse(run)), ...(await readResults(name))].slice(0, maxRuns)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ runs }, null, 1)}\n`)
}

// Four digits exceed the precision of the measurement.
function rounded(run: StoredRun): StoredRun {
  const short = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(4)))
  return {
    ...run,
    figures: run.figures.map((figure) => ({ ...figure, values: short(figure.values) })),
    goals: run.goals.map((goal) => ({ ...goal, values: short(goal.values) })),
  }
}
