import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { drawBars } from './plot.ts'
import { readResults, type StoredRun } from './results.ts'
import { groupBy, isMet, number, withSpread } from './words.ts'

const docs = join(import.meta.dirname, '../../docs')

const head = `# Performance

Made by \`npm run bench -- page\` from the results that \`npm run bench -- NAME\` stored in \`bench/results\`; do not edit.

Every bench runs both sides of a comparison alternately, in one run, on one machine, and stores every repetition. The tables show
the median and, in brackets, the minimum and the maximum. Ratios are taken round by round. The load average beside each table
includes other work on the machine: with 2 cores, processes waited above 2. Absolute figures depend on the machine and the hour;
ratios depend on them less. Postgres writes durably (\`fsync\`, \`synchronous_commit\`) on every side, and our side includes what
production runs: tokens, limits, outbox, logs.
`

/** Writes docs/performance.md and its charts from the stored results. */
export async function writePage(benches: Readonly<Record<string, Bench>>): Promise<void> {
  await mkdir(join(docs, 'performance'), { recursive: true })
  const parts: string[] = []
  const goals: string[] = []
  for (const [name, bench] of Object.entries(benches)) {
    const runs = await readResults(name)
    if (runs.length === 0) continue
    goals.push(...goalRows(runs, bench.scope))
    parts.push(await writePart(name, bench, runs))
  }
  const table = ['| goal | target | last result | earlier runs, medians | |', '|---|---|---|---|---|', ...goals].join(
    '\n',
  )
  const missing = await namesWithoutResults(benches)
  const unmeasured = missing.length > 0 ? `Not measured yet: ${missing.join(', ')}.\n\n` : ''
  await writeFile(join(docs, 'performance.md'), `${head}\n## Goals\n\n${table}\n\n${unmeasured}${parts.join('\n')}`)
}

async function namesWithoutResults(benches: Readonly<Record<string, Bench>>): Promise<string[]> {
  const results = await Promise.all(Object.keys(benches).map(async (name) => ({ name, runs: await readResults(name) })))
  return results.filter(({ runs }) => runs.length === 0).map(({ name }) => `\`${name}\``)
}

/** Returns a row of the table of goals for each goal of the newest run. `scope` is that of the bench. */
export function goalRows([newest, ...earlier]: readonly StoredRun[], scope?: string): string[] {
  return (newest?.goals ?? []).map((goal) => {
    const before = earlier.flatMap(({ goals }) => goals.find((other) => other.goal === goal.goal) ?? [])
    const medians = before.map(({ values }) => withSpread(values).split(' ')[0]).join(', ')
    const target = `${goal.bound} ${number(goal.target)}`
    const label = scope === undefined ? goal.goal : `${scope}: ${goal.goal}`
    return `| ${label} | ${target} | ${withSpread(goal.values)} | ${medians || '–'} | ${isMet(goal) ? 'met' : '**missed**'} |`
  })
}

async function writePart(
  name: string,
  { title, method, plots, findings = [] }: Bench,
  runs: readonly StoredRun[],
): Promise<string> {
  const [newest] = runs
  if (!newest) return ''
  const pictures: string[] = []
  for (const { title, what } of plots) {
    const file = `performance/${name}-${what.replaceAll(/\W+/g, '-')}.svg`
    await writeFile(
      join(docs, file),
      drawBars(
        title,
        newest.figures.filter((figure) => figure.what === what),
      ),
    )
    pictures.push(`![${title}](${file})`)
  }
  const { at, machine, versions, load, notes } = newest
  const context = `${at.slice(0, 16).replace('T', ' ')} UTC, ${[machine, ...versions].join(', ')}; load average ${load.join(' before, ')} after.`
  return [
    `## ${title}`,
    `\`npm run bench -- ${name}\``,
    ...method,
    ...pictures,
    figureTable(newest),
    context,
    ...findings,
    ...notes,
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n')
}

function figureTable({ figures }: StoredRun): string {
  const whats = [...new Set(figures.map(({ what }) => what))]
  const rows = [...groupBy(figures, ({ of, side }) => `${of} | ${side}`)].map(([key, all]) => {
    const cells = whats.map((what) => withSpread(all.find((figure) => figure.what === what)?.values ?? []))
    return `| ${key} | ${cells.join(' | ')} |`
  })
  return [`| | | ${whats.join(' | ')} |`, `|---|---|${whats.map(() => '---:|').join('')}`, ...rows].join('\n')
}
