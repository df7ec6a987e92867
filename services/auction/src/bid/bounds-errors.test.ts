import { expect, it } from 'vitest'
import { biddingSuspended } from './bounds-errors.ts'

const dayMs = 24 * 3_600_000

it.each([
  [3, 90 * dayMs, 'for 3 wins within 90 days'],
  [1, dayMs, 'for 1 win within 1 day'],
  [2, 1.5 * dayMs, 'for 2 wins within 1.5 days'],
])('BID-13 explains a suspension with the settings: %i unpaid wins within %i ms', (count, windowMs, reason) => {
  const settings = { MAX_STRIKES: count, STRIKE_WINDOW_MS: windowMs }
  expect(biddingSuspended(new Date('2026-12-31T23:59:30.000Z'), settings).message).toBe(
    `You can't bid until 23:59 UTC on December 31, 2026, because you didn't pay ${reason}.`,
  )
})
