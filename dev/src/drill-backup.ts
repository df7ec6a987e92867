// `npm run drill:backup`: backs a running marketplace up, restores it on a server of its own, and says how long each step took.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminAddress } from './admin-address.ts'
import { drillBackup } from './backup/drill.ts'

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
  const { rows, findings } = await drillBackup({ adminUrl: adminAddress(), secretsFile, folder, step })
  for (const { invariant, finding } of findings) print(`FAIL ${invariant}\n     ${finding}`)
  print(`Drill: ${rows} rows back in ${seconds(startedAt)}, ${findings.length} findings against the invariants`)
  process.exitCode = findings.length > 0 ? 1 : 0
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
