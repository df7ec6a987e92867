import { describe, expect, it } from 'vitest'
import { narrow } from './server-clock.ts'

const unbounded = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

describe('the server clock', () => {
  it('bounds the offset by one response', () => {
    expect(narrow(unbounded, { date: 10_000, sentAt: 7_000, receivedAt: 7_200 })).toEqual({ low: 2_800, high: 4_000 })
  })

  it('narrows the bounds with the next response', () => {
    const first = { low: 2_800, high: 4_000 }
    expect(narrow(first, { date: 11_000, sentAt: 8_700, receivedAt: 8_710 })).toEqual({ low: 2_800, high: 3_300 })
  })

  it('discards the old bounds when a clock was set', () => {
    const first = { low: 2_800, high: 4_000 }
    expect(narrow(first, { date: 100_000, sentAt: 8_000, receivedAt: 8_100 })).toEqual({ low: 91_900, high: 93_000 })
  })
})
