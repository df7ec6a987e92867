import { describe, expect, it } from 'vitest'
import { Dollars, dollarsToCents } from './money.ts'

describe('NUM-01 dollars are converted to cents without rounding errors', () => {
  it.each([
    [0.29, 29],
    [19.99, 1999],
    [1e6, 100_000_000],
    [4.35, 435],
    [1.1, 110],
    [9_999_999.99, 999_999_999],
    [0, 0],
    [-1, -100],
  ])('%d dollars are %d cents', (dollars, expected) => {
    expect(dollarsToCents(dollars)).toBe(expected)
  })

  it.each([1.005, 0.001, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 0.1 + 0.2])('%d is rejected', (dollars) => {
    expect(dollarsToCents(dollars)).toBeNull()
  })

  it.each(['12', null, 10_000_000, 1.005, {}])('a request with %j is rejected', (amount) => {
    expect(Dollars.safeParse(amount).success).toBe(false)
  })
})
