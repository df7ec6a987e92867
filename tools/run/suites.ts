import type { Finished } from './run.ts'

export type Suite = readonly [name: string, start: () => Promise<Finished>]

/** Runs test suites one after the other and prints the summary `<title>: N passed, N failed`. */
export async function runSuites(title: string, suites: readonly Suite[]): Promise<void> {
  let passed = 0
  let failed = 0
  for (const [name, start] of suites) {
    process.stdout.write(`\n${name}\n`)
    const { code, output } = await start()
    const counts = countTests(output)
    passed += counts.passed
    // A suite that exits with an error, or that ran no test, counts as failed.
    failed += code === 0 && counts.passed > 0 ? counts.failed : Math.max(1, counts.failed)
  }
  process.stdout.write(`\n${title}: ${passed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
}

// vitest: `Tests 1 failed | 2 passed (3)`; Playwright: lines `1 failed` and `2 passed (3s)`.
function countTests(output: string): { passed: number; failed: number } {
  // oxlint-disable-next-line no-control-regex -- both print colors even into a pipe when told to
  const plain = output.replaceAll(/\u001B\[[\d;]*m/g, '')
  const summary = /^\s*Tests\s+(.*)$/m.exec(plain)?.[1] ?? plain
  const count = (word: string) => Number(new RegExp(String.raw`(\d+) ${word}`).exec(summary)?.[1] ?? 0)
  return { passed: count('passed'), failed: count('failed') }
}
