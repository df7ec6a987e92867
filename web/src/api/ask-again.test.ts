import { expect, it } from 'vitest'
import { askAgain } from './ask-again.ts'

it('pauses twice as long after each failure, half a minute at most', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 2_000].map((errorUpdateCount) =>
    askAgain({ state: { status: 'error', errorUpdateCount } }),
  )
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

it.for(['pending', 'success'] as const)('does not ask again while it is %s, whatever failed before', (status) => {
  expect(askAgain({ state: { status, errorUpdateCount: 3 } })).toBe(false)
})
