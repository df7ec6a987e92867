import { describe, expect, it } from 'vitest'
import { openAnotherTry, type Sent } from './another-try.ts'

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
const broken = Object.assign(new Error('broken'), { code: 'UND_ERR_SOCKET' })
const late = Object.assign(new Error('late'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
const read: Sent = { method: 'GET', headers: {} }
const write: Sent = { method: 'POST', headers: {} }
const keyed: Sent = { method: 'POST', headers: { 'idempotency-key': 'one' } }

describe('what failed on the way', () => {
  it.each([
    ['a read whose connection broke', broken, read, [true, false]],
    ['a write with a key whose connection broke', broken, keyed, [true, false]],
    ['a write without a key whose connection broke: it may have been carried out', broken, write, [false]],
    ['a write that nobody took', refused, write, [true, true, true, false]],
    ['what was waited for in vain', late, read, [false]],
    ['an answer, whatever it says', null, read, [false]],
  ])('is sent again or not: %s', (_what, error, sent, expected) => {
    const tries = openAnotherTry()
    const delays = expected.map((_, attempt) => tries.delayAfter(error, sent, attempt))
    expect(delays.map((delay) => delay !== null)).toEqual(expected)
  })

  it('waits for a random time that grows', () => {
    const tries = openAnotherTry(() => 0.5)
    expect([0, 1, 2].map((attempt) => tries.delayAfter(refused, read, attempt))).toEqual([51, 101, 151])
  })

  // Red without `budget -= 1`.
  it('adds a tenth at most to what goes on anyway', () => {
    const tries = openAnotherTry()
    const again = () => tries.delayAfter(broken, read, 0) !== null
    const atOnce = Array.from({ length: 100 }, again).filter(Boolean).length
    for (let first = 0; first < 100; first++) tries.noteFirst()
    const afterAHundred = Array.from({ length: 100 }, again).filter(Boolean).length

    expect(atOnce).toBe(20)
    expect(afterAHundred).toBeGreaterThanOrEqual(9)
    expect(afterAHundred).toBeLessThanOrEqual(10)
  })
})
