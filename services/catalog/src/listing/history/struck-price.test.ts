import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import { provenPrice, toPriceHistory } from './struck-price.ts'

const now = new Date('2026-11-03T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000)
type Prices = readonly (readonly [daysAgo: number, price: number])[]
type Inactive = readonly (readonly [fromDaysAgo: number, untilDaysAgo: number])[]

const complete = new Date(0)
const reduction = { price: cents(80), from: now }
const toPoints = (prices: Prices) => prices.map(([days, price]) => ({ price: cents(price), from: daysAgo(days) }))

describe('the price before a reduction', () => {
  it.each<[string, Prices, number | null]>([
    ['the only price, if it stood for 7 days', [[7, 100]], 100],
    ['none, if the only price stood for less', [[6.99, 100]], null],
    [
      'the lowest of the last 30 days',
      [
        [40, 120],
        [20, 90],
        [10, 110],
      ],
      90,
    ],
    [
      'not a lower one that ended 30 days before',
      [
        [60, 70],
        [30, 110],
      ],
      110,
    ],
    [
      'a lower one that ended later',
      [
        [60, 70],
        [29, 110],
      ],
      null,
    ],
    [
      'none, if the lowest stood for less than 7 days',
      [
        [40, 120],
        [20, 90],
        [14, 110],
      ],
      null,
    ],
    [
      'the lowest, if one of its periods was long enough',
      [
        [40, 90],
        [20, 110],
        [10, 90],
        [8, 110],
      ],
      90,
    ],
    ['none that is not above the new price', [[40, 80]], null],
    ['none without prices', [], null],
  ])('LIFE-06 is %s', (_case, prices, expected) => {
    expect(provenPrice({ prices: toPoints(prices), inactive: [], knownSince: complete }, reduction)).toBe(expected)
  })

  it.each<[string, Prices, Inactive, number | null]>([
    ['none, if the listing was active for less than 7 days', [[37, 100]], [[31, 0.99]], null],
    ['the only price, if the listing was active for 7 days', [[37, 100]], [[31, 1]], 100],
    ['none, if the listing was inactive for the last 30 days', [[60, 100]], [[30, 0]], null],
    [
      'not a lower one of which only the inactive time is in the last 30 days',
      [
        [60, 70],
        [20, 110],
      ],
      [[40, 20]],
      110,
    ],
    [
      'a lower one that was active in the last 30 days',
      [
        [60, 90],
        [20, 110],
      ],
      [[29, 20]],
      90,
    ],
    [
      'none, if each of several inactive periods leaves too little',
      [[30, 100]],
      [
        [10, 1],
        [28, 13],
      ],
      null,
    ],
    ['none, if the price was active only more than a year ago', [[400, 100]], [[366, 2]], null],
  ])('LIFE-06 counts only active time: %s', (_case, prices, inactive, expected) => {
    const periods = inactive.map(([from, until]) => ({ from: daysAgo(from), until: daysAgo(until) }))
    expect(provenPrice({ prices: toPoints(prices), inactive: periods, knownSince: complete }, reduction)).toBe(expected)
  })

  it.each<[string, number, number | null]>([
    ['none, if not all prices of the last 30 days are known', 29.99, null],
    ['the only price, if it was active for 7 days in the known time', 30, 100],
  ])('LIFE-06 counts only known time: %s', (_case, knownDays, expected) => {
    const history = { prices: toPoints([[60, 100]]), inactive: [], knownSince: daysAgo(knownDays) }
    expect(provenPrice(history, reduction)).toBe(expected)
  })

  it('LIFE-06 is none, if it was active for 7 days only before the known time', () => {
    const inactive = [{ from: daysAgo(31), until: daysAgo(6.99) }]
    const prices = toPoints([[60, 100]])
    expect(provenPrice({ prices, inactive, knownSince: complete }, reduction)).toBe(100)
    expect(provenPrice({ prices, inactive, knownSince: daysAgo(31) }, reduction)).toBe(null)
  })

  it('LIFE-06 is known since the oldest of 500 prices or inactive periods', () => {
    const prices = toPoints(Array.from({ length: 500 }, (_, index) => [500 - index, 100]))
    const inactive = prices.map(({ from }) => ({ from, until: from })).toReversed()
    const few = { prices: prices.slice(1), inactive: inactive.slice(1) }
    expect(toPriceHistory(few).knownSince).toEqual(complete)
    expect(toPriceHistory({ ...few, prices }).knownSince).toEqual(daysAgo(500))
    expect(toPriceHistory({ ...few, inactive }).knownSince).toEqual(daysAgo(500))
  })
})
