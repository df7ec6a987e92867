import { describe, expect, it } from 'vitest'
import { defaultFeeBasisPoints, feeOf, formatRate, maxFeeBasisPoints, totalOf } from './fee.ts'

describe('NUM-02 the fee is 5 %, with half a cent rounded up', () => {
  it.each([
    [0, 0],
    [1, 0],
    [9, 0],
    [10, 1],
    [29, 1],
    [30, 2],
    [69, 3],
    [70, 4],
    [1989, 99],
    [1990, 100],
    [1999, 100],
    [2009, 100],
    [2010, 101],
    [999_999_999, 50_000_000],
  ])('for %d cents is %d cents', (price, fee) => {
    expect(feeOf(price, defaultFeeBasisPoints)).toBe(fee)
  })
})

describe('the fee at another rate', () => {
  it.each([
    [0, 1999, 0],
    [1, 4999, 0],
    [1, 5000, 1],
    [725, 1999, 145],
    [750, 20, 2],
    [750, 19, 1],
    [10_000, 999_999_999, 999_999_999],
  ])('of %d basis points for %d cents is %d cents', (basisPoints, price, fee) => {
    expect(feeOf(price, basisPoints)).toBe(fee)
  })
})

it('the total is price, shipping and fee', () => {
  expect(totalOf(1999, 450, 500)).toBe(2549)
  expect(totalOf(0, 450, 500)).toBe(450)
})

it('the highest total fits into 32 bits at the highest rate, and at no higher one', () => {
  const highestTotal = (basisPoints: number) => totalOf(999_999_999, 999_999_999, basisPoints)
  expect(highestTotal(maxFeeBasisPoints)).toBe(2_147_399_998)
  expect(highestTotal(maxFeeBasisPoints + 1)).toBeGreaterThan(2 ** 31 - 1)
})

it.each([
  [500, '5%'],
  [725, '7.25%'],
  [750, '7.5%'],
  [0, '0%'],
])('a rate of %d basis points is shown as %s', (basisPoints, text) => {
  expect(formatRate(basisPoints)).toBe(text)
})
