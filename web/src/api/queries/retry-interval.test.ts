import { expect, it } from 'vitest'
import { retryInterval } from './retry-interval.ts'

it('doubles the interval after each failure, up to 30 s', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 2_000].map((errorUpdateCount) =>
    retryInterval({ state: { status: 'error', errorUpdateCount } }),
  )
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

it.for(['pending', 'success'] as const)(
  'stops retrying while the query is %s, even after earlier failures',
  (status) => {
    expect(retryInterval({ state: { status, errorUpdateCount: 3 } })).toBe(false)
  },
)
