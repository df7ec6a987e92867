import { describe, expect, it } from 'vitest'
import { narrow } from './server-clock.ts'

const anything = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

describe('the server clock', () => {
  it('brackets the offset by one answer', () => {
    expect(narrow(anything, { date: 10_000, sentAt: 7_000, receivedAt: 7_200 })).toEqual({ low: 2_800, high: 4_000 })
  })

  it('narrows it with the next', () => {
    const first = { low: 2_800, high: 4_000 }
    expect(narrow(first, { date: 11_000, sentAt: 8_700, receivedAt: 8_710 })).toEqual({ low: 2_800, high: 3_300 })
  })

  it('starts again when a clock was set', () => {
    const first = { low: 2_800, high: 4_000 }
    expect(narrow(first, { date: 100_000, sentAt: 8_000, receivedAt: 8_100 })).toEqual({ low: 91_900, high: 93_000 })
  })
})
