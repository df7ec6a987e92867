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

/** Returns the stored runs of a bench, newest first; an empty list when it never ran. */
export async function readResults(name: string): Promise<StoredRun[]> {
  const text = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '{"runs":[]}')
  return Results.parse(JSON.parse(text)).runs
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
