// `npm test`: the tests of every package on one embedded Postgres, then the journeys in a real browser.
import { run } from './run.ts'

const suites: readonly [string, () => ReturnType<typeof run>][] = [
  ['packages and services', () => run('vitest', ['run', '--reporter=default'], { echo: true })],
  ['journeys in the browser', () => run('playwright', ['test'], { cwd: 'e2e', echo: true })],
]

let passed = 0
let failed = 0
for (const [name, suite] of suites) {
  process.stdout.write(`\n${name}\n`)
  const { code, output } = await suite()
  const counts = countTests(output)
  passed += counts.passed
  // A suite that ends badly without naming a test has failed all the same.
  failed += code === 0 ? counts.failed : Math.max(1, counts.failed)
}
process.stdout.write(`\nTests: ${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0

// vitest: `Tests  1 failed | 2 passed (3)`; Playwright: lines `1 failed` and `2 passed (3s)`.
function countTests(output: string): { passed: number; failed: number } {
  // oxlint-disable-next-line no-control-regex -- both print colours even into a pipe when told to
  const plain = output.replaceAll(/\u001B\[[\d;]*m/g, '')
  const summary = /^\s*Tests\s+(.*)$/m.exec(plain)?.[1] ?? plain
  const count = (word: string) => Number(new RegExp(String.raw`(\d+) ${word}`).exec(summary)?.[1] ?? 0)
  return { passed: count('passed'), failed: count('failed') }
}
