import { expect, it, onTestFinished, vi } from 'vitest'
import { runSuites, type Suite, type SuiteResult } from './suites.ts'

const suite = (result: SuiteResult): Suite => ['A suite', async () => result]
const empty = suite({ code: 0, passed: 0, failed: 0 })
const passing = suite({ code: 0, passed: 2, failed: 0 })
const failing = suite({ code: 1, passed: 1, failed: 1 })
const broken = suite({ code: 1, passed: 0, failed: 0 })

/** Runs the suites and returns the exit code and the last line of the output. */
async function outcomeOf(suites: readonly Suite[], mayBeEmpty: boolean): Promise<[unknown, string | undefined]> {
  const before = process.exitCode
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => {
    process.exitCode = before
    write.mockRestore()
  })
  await runSuites('Tests', suites, { mayBeEmpty })
  return [process.exitCode, String(write.mock.lastCall?.[0]).trim()]
}

it.each([
  ['a suite without a test', [empty, passing], false, [1, 'Tests: 2 passed, 1 failed']],
  ['a suite without a selected test', [empty, passing], true, [0, 'Tests: 2 passed, 0 failed']],
  ['only suites without a selected test', [empty, empty], true, [1, 'Tests: 0 passed, 1 failed']],
  ['a failing suite beside one without a selected test', [failing, empty], true, [1, 'Tests: 1 passed, 1 failed']],
  ['a suite that stopped early', [broken, passing], true, [1, 'Tests: 2 passed, 1 failed']],
])('a run counts %s', async (_what, suites, mayBeEmpty, outcome) => {
  expect(await outcomeOf(suites, mayBeEmpty)).toEqual(outcome)
})
