import { maxFeeBasisPoints } from '@marketplace/contracts/fee.ts'
import { expect, it } from 'vitest'
import { paymentsSettings } from './config.ts'

it('accepts a fee of up to 1474 basis points, with which every total fits the database', () => {
  const { FEE_BASIS_POINTS: setting } = paymentsSettings.shape
  expect(setting.parse('1474')).toBe(maxFeeBasisPoints)
  expect(['1475', '-1'].map((rate) => setting.safeParse(rate).success)).toEqual([false, false])
})
