// `npm run nightly` runs every nightly suite, `-- <name>…` some, and stores the results in tests/nightly.json.
import { execFileSync } from 'node:child_process'
import { run } from '../run/run.ts'
import { nightlySuites, writeNightlyResult, type NightlyCommand } from './nightly-results.ts'

const summary = /: (\d+) passed, (\d+) failed$/
const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in nightlySuites))
// A result names the commit it was measured at.
const changed = git('status', '--porcelain', '--', '.', ':!tests/nightly.json', ':!bench/results')
if (unknown.length > 0) fail(`Unknown suites: ${unknown.join(', ')}. Known: ${Object.keys(nightlySuites).join(', ')}.`)
else if (changed !== '') fail(`Commit these changes first:\n${changed}`)
else {
  for (const [name, command] of Object.entries(nightlySuites)) {
    if (names.length === 0 || names.includes(name)) await runSuite(name, command)
  }
}

async function runSuite(name: string, [command, args]: NightlyCommand): Promise<void> {
  const commit = git('rev-parse', 'HEAD')
  const started = Date.now()
  const { code, output } = await run(command, args, { echo: true, env: { NIGHTLY: 'true' } })
  const [, passed = 0, failed = 0] = summary.exec(lastSummary(output)) ?? []
  writeNightlyResult(name, {
    commit,
    date: new Date(started).toISOString(),
    minutes: Math.round((Date.now() - started) / 60_000),
    passed: Number(passed),
    // A suite that ends with an error counts as failed even when it printed no count.
    failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)),
  })
  if (code !== 0) process.exitCode = 1
}

function lastSummary(output: string): string {
  return output.split('\n').findLast((line) => summary.test(line)) ?? ''
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}
