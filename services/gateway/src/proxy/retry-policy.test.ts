import { describe, expect, it } from 'vitest'
import { createRetryBudget, type SentRequest } from './retry-policy.ts'

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
const broken = Object.assign(new Error('broken'), { code: 'UND_ERR_SOCKET' })
const late = Object.assign(new Error('late'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
const read: SentRequest = { method: 'GET', headers: {} }
const write: SentRequest = { method: 'POST', headers: {} }
const keyed: SentRequest = { method: 'POST', headers: { 'idempotency-key': 'one' } }

describe('the retry policy', () => {
  it.each([
    ['a read after a broken connection', broken, read, [true, false]],
    ['a write with a key after a broken connection', broken, keyed, [true, false]],
    ['a write without a key after a broken connection, because it may have been executed', broken, write, [false]],
    ['a write after a refused connection', refused, write, [true, true, true, false]],
    ['a read after a timeout', late, read, [false]],
    ['a read after a response', null, read, [false]],
  ])('allows the safe retries of %s', (_what, error, sent, expected) => {
    const budget = createRetryBudget()
    const delays = expected.map((_, attempt) => budget.retryDelay(error, sent, attempt))
    expect(delays.map((delay) => delay !== null)).toEqual(expected)
  })

  it('waits for a random delay that grows with each attempt', () => {
    const budget = createRetryBudget(() => 0.5)
    expect([0, 1, 2].map((attempt) => budget.retryDelay(refused, read, attempt))).toEqual([51, 101, 151])
  })

  // This test fails without `budget -= 1`.
  it('adds at most a tenth to the first attempts', () => {
    const budget = createRetryBudget()
    const takeRetry = () => budget.retryDelay(broken, read, 0) !== null
    const atOnce = Array.from({ length: 100 }, takeRetry).filter(Boolean).length
    for (let first = 0; first < 100; first++) budget.recordFirstAttempt()
    const afterAHundred = Array.from({ length: 100 }, takeRetry).filter(Boolean).length

    expect(atOnce).toBe(20)
    expect(afterAHundred).toBeGreaterThanOrEqual(9)
    expect(afterAHundred).toBeLessThanOrEqual(10)
  })
})
