import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Slowdown } from './options.ts'
import type { Seed } from './seed.ts'

export interface Run {
  scenario: string
  base: string
  seed: Seed
  slowdown: Slowdown | undefined
}

/** Runs a scenario with k6 against a marketplace; returns whether all its thresholds passed. */
export async function runK6({ scenario, base, seed, slowdown }: Run): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-k6-'))
  try {
    const [file, summary] = [join(folder, 'seed.json'), join(folder, 'summary.json')]
    await writeFile(file, JSON.stringify(seed))
    const script = join(import.meta.dirname, '../scenarios', `${scenario}.ts`)
    const settings = ['-e', `BASE=${base}`, '-e', `SEED=${file}`, `--summary-export=${summary}`]
    const k6 = spawn('k6', ['run', '--quiet', '--no-usage-report', ...settings, script], { stdio: 'inherit' })
    const [code] = await Promise.race([once(k6, 'exit'), once(k6, 'error').then(notInstalled)])
    const isFast = slowdown === undefined || isWithin(slowdown, await readFile(summary, 'utf8'))
    return code === 0 && isFast
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// k6 writes the values that `summaryTrendStats` names.
interface Summary {
  metrics: Record<string, { 'p(95)'?: number } | undefined>
}

/** Compares the p95 of two trends in k6's summary. */
export function isWithin({ before, after, most }: Slowdown, summary: string): boolean {
  const { metrics }: Summary = JSON.parse(summary)
  const [first, second] = [metrics[before]?.['p(95)'], metrics[after]?.['p(95)']]
  if (first === undefined || second === undefined) throw new Error(`k6 reported no ${before} or no ${after}.`)
  process.stdout.write(
    `  p95 ${first.toFixed(1)} ms, then ${second.toFixed(1)} ms: ${(second / first).toFixed(2)} times\n`,
  )
  return second <= first * most
}

function notInstalled(): never {
  throw new Error('k6 is not on the PATH: see load/README.md for its installation.')
}
