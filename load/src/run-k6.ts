import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Seed } from './seed.ts'

/** Runs a scenario with k6 against a marketplace; returns whether all its thresholds passed. */
export async function runK6(scenario: string, base: string, seed: Seed): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-k6-'))
  try {
    const file = join(folder, 'seed.json')
    await writeFile(file, JSON.stringify(seed))
    const script = join(import.meta.dirname, '../scenarios', `${scenario}.ts`)
    const settings = ['-e', `BASE=${base}`, '-e', `SEED=${file}`]
    const k6 = spawn('k6', ['run', '--quiet', '--no-usage-report', ...settings, script], { stdio: 'inherit' })
    const [code] = await Promise.race([once(k6, 'exit'), once(k6, 'error').then(notInstalled)])
    return code === 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function notInstalled(): never {
  throw new Error('k6 is not on the PATH: see load/README.md for its installation.')
}
