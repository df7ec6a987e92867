import { cents } from '@marketplace/kit/money.ts'
import { describe, expect, it } from 'vitest'
import { priced } from '../sale/sale.ts'
import { capture, lateCapture } from './ledger.ts'

const termsOf = (price: number, shipping: number) =>
  priced({ sellerId: 's', title: 't', imageUrl: null, price: cents(price), shipping: cents(shipping) })

const sumOf = (entries: readonly { amount: number }[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

describe('the capture of a payment', () => {
  it('owes the seller price and shipping less the fee, and keeps the fee of both sides', () => {
    expect(capture(termsOf(1999, 450))).toEqual({
      kind: 'capture',
      entries: [
        { account: 'provider', amount: 2549 },
        { account: 'seller', amount: -2449 },
        { account: 'seller', amount: 100 },
        { account: 'fee:buyer', amount: -100 },
        { account: 'fee:seller', amount: -100 },
      ],
    })
  })

  it('books no fee where there is none', () => {
    expect(capture(termsOf(9, 500)).entries).toEqual([
      { account: 'provider', amount: 509 },
      { account: 'seller', amount: -509 },
    ])
  })

  it.each([1, 10, 1999, 999_999_999])('sums to zero for a price of %i cents', (price) => {
    for (const shipping of [0, 450, 999_999_999]) {
      expect(sumOf(capture(termsOf(price, shipping)).entries)).toBe(0)
      expect(sumOf(lateCapture(termsOf(price, shipping)).entries)).toBe(0)
    }
  })
})

describe('the late capture of a payment', () => {
  it('owes all of it back', () => {
    expect(lateCapture(termsOf(1999, 450))).toEqual({
      kind: 'late_capture',
      entries: [
        { account: 'provider', amount: 2549 },
        { account: 'refund:due', amount: -2549 },
      ],
    })
  })
})
