import { describe, expect, it } from 'vitest'
import { formatCents, parseDollars, toDollars } from './money.ts'

describe('money', () => {
  it.each([
    ['0.29', 29],
    ['19.99', 1999],
    ['1000000', 100_000_000],
    ['$20', 2000],
    ['$ 1,234.50', 123_450],
    ['1,234.5', 123_450],
    ['.5', 50],
    ['7.', 700],
  ])('NUM-01 parses %s as %i cents', (typed, cents) => {
    expect(parseDollars(typed)).toBe(cents)
  })

  it.each(['', ' ', '.', '$', '1.005', '-1', '1e6', 'abc', '12,34', '1.2.3'])('NUM-01 rejects %j', (typed) => {
    expect(parseDollars(typed)).toBeNull()
  })

  it.each([
    [29, '$0.29', '0.29'],
    [1999, '$19.99', '19.99'],
    [123_450, '$1,234.50', '1234.5'],
    [100_000_000, '$1,000,000.00', '1000000'],
    [999_999_999, '$9,999,999.99', '9999999.99'],
  ])('NUM-01 formats %i cents as %s and sends %s', (cents, shown, sent) => {
    expect(formatCents(cents)).toBe(shown)
    expect(JSON.stringify(toDollars(cents))).toBe(sent)
  })

  it('NUM-01 formats cents like Intl.NumberFormat', () => {
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
    const samples = [0, 1, 9, 10, 99, 100, 99_999, 100_000, 123_456_789, Number.MAX_SAFE_INTEGER - 1, -5, -123_456]
    for (const cents of samples) expect(formatCents(cents)).toBe(dollars.format(cents / 100))
  })

  it('NUM-01 sends every cent of a hundred dollars with at most two decimals', () => {
    for (let cents = 0; cents <= 10_000; cents++) expect(parseDollars(JSON.stringify(toDollars(cents)))).toBe(cents)
  })
})
