import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Outcome } from './bench.ts'

const Taken = Outcome.extend({
  at: z.iso.datetime(),
  machine: z.string(),
  /** Before and after: what else ran. */
  load: z.tuple([z.number(), z.number()]),
})

const Results = z.object({ runs: z.array(Taken) })

export type Taken = z.output<typeof Taken>

const folder = join(import.meta.dirname, '../../results')
// Moments apart from each other; older ones make room.
const kept = 4

/** The runs that were kept of a bench, newest first; none where it never ran. */
export async function readResults(name: string): Promise<Taken[]> {
  const text = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '{"runs":[]}')
  return Results.parse(JSON.parse(text)).runs
}

export async function keepResult(name: string, taken: z.input<typeof Taken>): Promise<void> {
  const runs = [rounded(Taken.parse(taken)), ...(await readResults(name))].slice(0, kept)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ runs }, null, 1)}\n`)
}

// Four digits are more than such figures are worth.
function rounded(taken: Taken): Taken {
  const short = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(4)))
  return {
    ...taken,
    figures: taken.figures.map((figure) => ({ ...figure, values: short(figure.values) })),
    goals: taken.goals.map((goal) => ({ ...goal, values: short(goal.values) })),
  }
}
