import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { run } from './run.ts'

export interface SuiteResult {
  code: number
  passed: number
  failed: number
  /** The failed tests, as `file: title | error | position`. Missing if the suite has no report. */
  failures?: string[]
}

export type Suite = readonly [name: string, start: () => Promise<SuiteResult>]

interface SuitesOptions {
  /** True: a suite may run no test, as when tests are selected by title, but not all of them. */
  readonly mayBeEmpty?: boolean
}

/**
 * Runs test suites one after the other, prints a line `FAILED <file>: <title>` for each failed test, and the summary
 * `<title>: N passed, N failed`.
 */
export async function runSuites(
  title: string,
  suites: readonly Suite[],
  { mayBeEmpty = false }: SuitesOptions = {},
): Promise<void> {
  let passed = 0
  let failed = 0
  const failures: string[] = []
  for (const [name, start] of suites) {
    process.stdout.write(`\n${name}\n`)
    const result = await start()
    passed += result.passed
    // A suite that exits with an error, or that ran no test, counts as failed.
    const isRun = result.code === 0 && (result.passed > 0 || mayBeEmpty)
    const counted = isRun ? result.failed : Math.max(1, result.failed)
    failed += counted
    failures.push(...(result.failures ?? []))
    if (counted > (result.failures ?? []).length) failures.push(`${name}: exit code ${result.code}`)
  }
  if (passed + failed === 0) {
    failed = 1
    failures.push(`${title}: no test was run`)
  }
  process.stdout.write(failures.map((failure) => `\nFAILED ${failure}`).join(''))
  process.stdout.write(`\n${title}: ${passed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
}

type Counted = Omit<SuiteResult, 'code'>

/** Returns the name of a failed test with the first line of its error and the position in the test file. */
function failureLine(test: string, error = ''): string {
  const lines = stripVTControlCharacters(error).split('\n')
  const place = lines.find((line) => /\.(test|spec)\.ts:\d+/.test(line))
  return [test, lines[0], place]
    .map((part) => part?.trim().slice(0, 300))
    .filter(Boolean)
    .join(' | ')
}

const VitestReport = z
  .object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    testResults: z.array(
      z.object({
        name: z.string(),
        assertionResults: z.array(
          z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).optional() }),
        ),
      }),
    ),
  })
  .transform(({ numPassedTests, numFailedTests, testResults }): Counted => {
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map((test) => failureLine(`${relative('', name)}: ${test.fullName}`, test.failureMessages?.[0])),
    )
    return { passed: numPassedTests, failed: numFailedTests, failures }
  })

const PlaywrightError = z.object({ message: z.string().optional() })

const PlaywrightSuite = z.object({
  specs: z.array(
    z.object({
      ok: z.boolean(),
      title: z.string(),
      file: z.string(),
      tests: z.array(z.object({ results: z.array(z.object({ error: PlaywrightError.optional() })) })),
    }),
  ),
  get suites() {
    return z.array(PlaywrightSuite).optional()
  },
})

const failuresOf = ({ specs, suites = [] }: z.infer<typeof PlaywrightSuite>): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => failureLine(`${file}: ${title}`, tests[0]?.results[0]?.error?.message)),
  ...suites.flatMap(failuresOf),
]

// A test that passed when it was retried is `flaky`.
const PlaywrightReport = z
  .object({
    stats: z.object({ expected: z.int(), flaky: z.int(), unexpected: z.int() }),
    suites: z.array(PlaywrightSuite),
    errors: z.array(PlaywrightError),
  })
  .transform(({ stats: { expected, flaky, unexpected }, suites, errors }): Counted => ({
    passed: expected + flaky,
    failed: unexpected,
    failures: [
      ...suites.flatMap(failuresOf),
      ...errors.map(({ message }) => failureLine('An error outside the tests', message)),
    ],
  }))

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
  Report: z.ZodType<Counted>,
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
