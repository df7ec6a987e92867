import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { run } from './run.ts'

export interface SuiteResult {
  code: number
  passed: number
  failed: number
}

export type Suite = readonly [name: string, start: () => Promise<SuiteResult>]

/** Runs test suites one after the other and prints the summary `<title>: N passed, N failed`. */
export async function runSuites(title: string, suites: readonly Suite[]): Promise<void> {
  let passed = 0
  let failed = 0
  for (const [name, start] of suites) {
    process.stdout.write(`\n${name}\n`)
    const result = await start()
    passed += result.passed
    // A suite that exits with an error, or that ran no test, counts as failed.
    failed += result.code === 0 && result.passed > 0 ? result.failed : Math.max(1, result.failed)
  }
  process.stdout.write(`\n${title}: ${passed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
}

const VitestReport = z
  .object({ numPassedTests: z.int(), numFailedTests: z.int() })
  .transform(({ numPassedTests: passed, numFailedTests: failed }) => ({ passed, failed }))

// A test that passed when it was retried is `flaky`.
const PlaywrightReport = z
  .object({ stats: z.object({ expected: z.int(), flaky: z.int(), unexpected: z.int() }) })
  .transform(({ stats: { expected, flaky, unexpected } }) => ({ passed: expected + flaky, failed: unexpected }))

/** Runs vitest, prints its output and counts the tests of its report. */
export function runVitest(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<SuiteResult> {
  return withReport(VitestReport, (file) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    return run('vitest', ['run', ...reporters, ...args], { echo: true, env })
  })
}

/** Runs Playwright in `tests/`, prints its output and counts the tests of its report. */
export function runPlaywright(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<SuiteResult> {
  return withReport(PlaywrightReport, (file) => {
    const reported = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    return run('playwright', ['test', '--reporter=list,json', ...args], { cwd: 'tests', echo: true, env: reported })
  })
}

async function withReport(
  Report: z.ZodType<Omit<SuiteResult, 'code'>>,
  start: (file: string) => Promise<{ code: number }>,
): Promise<SuiteResult> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-report-'))
  try {
    const file = join(folder, 'report.json')
    const { code } = await start(file)
    // A runner that stopped early has written no report.
    const text = await readFile(file, 'utf8').catch(() => null)
    return text === null ? { code, passed: 0, failed: 1 } : { code, ...Report.parse(JSON.parse(text)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
