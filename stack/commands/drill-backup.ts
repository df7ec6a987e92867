// `npm run drill:backup` backs up a running marketplace, restores it on a server of its own, and prints the duration of
// each step.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveAdminUrl } from './admin-url.ts'
import { drillBackup } from './backup-drill.ts'

const folder = await mkdtemp(join(tmpdir(), 'marketplace-drill-'))
const startedAt = performance.now()

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const stepAt = performance.now()
  const result = await work()
  print(`${name.padEnd(12)} ${seconds(stepAt)}`)
  return result
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  const secretsFile = join(process.env['DATA_DIR'] ?? '.data', 'secrets.json')
  const { rows, violations } = await drillBackup({ adminUrl: resolveAdminUrl(), secretsFile, folder, step })
  for (const { invariant, message } of violations) print(`FAIL ${invariant}\n     ${message}`)
  print(`Drill: ${rows} rows restored in ${seconds(startedAt)}, ${violations.length} violations of the invariants`)
  process.exitCode = violations.length > 0 ? 1 : 0
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
