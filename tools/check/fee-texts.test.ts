import { expect, it } from 'vitest'
import { checkFeeTexts, statesRate } from './fee-texts.ts'

it.each([
  ['The fee is 5% of the price.', true],
  ['The fee is 5 % of the price, and 5% are kept.', true],
  ['The fee is 6% of the price.', false],
  ['The fee is 5% of the price, and 6 % are kept.', false],
  ['The fee is 7.5% of the price.', false],
  ['There is a fee.', false],
])('%s: %s', (text, isRight) => {
  expect(statesRate(text, '5%')).toBe(isRight)
})

it('the texts state the default rate', async () => {
  expect(await checkFeeTexts()).toEqual({ code: 0, output: '' })
})
