import { expect, test } from 'vitest'
import { judge, type NightlyResult } from './nightly-results.ts'

const result: NightlyResult = {
  commit: '0123456789abcdef',
  date: '2026-11-24T02:00:00.000Z',
  minutes: 34,
  passed: 76,
  failed: 0,
}
const young = () => 100

test('accepts a suite without failures', () => {
  expect(judge(['faults'], { faults: result }, young)).toEqual([
    { isGood: true, isMissing: false, line: 'ok   faults: 76 passed, 0 failed in 34 min on 2026-11-24 at 0123456' },
  ])
})

test('rejects a suite that failed, that counted no test, and one without a result', () => {
  const verdicts = judge(['a', 'b', 'c'], { a: { ...result, failed: 1 }, b: { ...result, passed: 0 } }, young)
  expect(verdicts.map(({ isGood }) => isGood)).toEqual([false, false, false])
  expect(verdicts[2]?.line).toBe('MISSING c: it has never run')
})

test('reports a result that is over 100 commits old, and accepts it', () => {
  const [verdict] = judge(['faults'], { faults: result }, () => 101)
  expect(verdict).toEqual({ isGood: true, isMissing: false, line: expect.stringMatching(/, OLD: 101 commits ago$/) })
})

test('says nothing about the age in a clone without the commit', () => {
  const [verdict] = judge(['faults'], { faults: result }, () => undefined)
  expect(verdict?.line).toMatch(/at 0123456$/)
})
