import { expect, it } from 'vitest'
import { chargeWarning, isChargeable } from './card-bounds.ts'

const atLeast = 'Cards are charged at least $0.50 in total.'
const atMost = 'Cards are charged at most $999,999.99 in total.'

it.each([
  [[47], 0, atLeast],
  [[48], 0, null],
  [[1], 49, null],
  [[1], 48, atLeast],
  [[95_238_094], 0, null],
  [[95_238_095], 0, atMost],
  [[2, 95_238_095], 0, atLeast],
  [[100, 95_238_095], 0, atMost],
  [[], 0, null],
])('warns for prices of %j with shipping of %i cents: %s', (prices, shipping, warning) => {
  expect(chargeWarning(prices, shipping, 500)).toBe(warning)
})

it.each([
  [47, 0, false],
  [48, 0, true],
  [95_238_094, 0, true],
  [95_238_094, 1, false],
])('checks whether a card can be charged %i cents with shipping of %i: %s', (price, shipping, expected) => {
  expect(isChargeable(price, shipping, 500)).toBe(expected)
})
