import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import { withFees } from '../sale/sale.ts'
import { capture, lateCapture, refundOwed, refundPaid } from './ledger.ts'

const termsOf = (price: number, shipping: number) =>
  withFees({ sellerId: 's', title: 't', imageUrl: null, price: cents(price), shipping: cents(shipping) }, 500)

const sumOf = (entries: readonly { amount: number }[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

describe('the capture of a payment', () => {
  it('credits the seller with price and shipping less the fee and records both fees as revenue', () => {
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

  it('has no fee entries when the fee is zero', () => {
    expect(capture(termsOf(9, 500)).entries).toEqual([
      { account: 'provider', amount: 509 },
      { account: 'seller', amount: -509 },
    ])
  })

  it.each([1, 10, 1999, 999_999_999])('sums to zero for a price of %i cents', (price) => {
    for (const shipping of [0, 450, 999_999_999]) {
      expect(sumOf(capture(termsOf(price, shipping)).entries)).toBe(0)
      expect(sumOf(lateCapture(termsOf(price, shipping)).entries)).toBe(0)
      expect(sumOf(refundOwed(termsOf(price, shipping)).entries)).toBe(0)
      expect(sumOf(refundPaid(termsOf(price, shipping)).entries)).toBe(0)
    }
  })
})

describe('the late capture of a payment', () => {
  it('records the full amount as a refund due', () => {
    expect(lateCapture(termsOf(1999, 450))).toEqual({
      kind: 'late_capture',
      entries: [
        { account: 'provider', amount: 2549 },
        { account: 'refund:due', amount: -2549 },
      ],
    })
  })
})

describe('a refund', () => {
  const terms = termsOf(1999, 450)

  it('reverses the capture, records the refund as due, then records it as paid', () => {
    expect(refundOwed(terms).entries).toEqual([
      { account: 'seller', amount: 2449 },
      { account: 'seller', amount: -100 },
      { account: 'fee:buyer', amount: 100 },
      { account: 'fee:seller', amount: 100 },
      { account: 'refund:due', amount: -2549 },
    ])
    expect(refundPaid(terms)).toEqual({
      kind: 'refund_paid',
      entries: [
        { account: 'provider', amount: -2549 },
        { account: 'refund:due', amount: 2549 },
      ],
    })
  })

  it.each([
    ['a paid sale', capture, refundOwed],
    ['a late payment', lateCapture, null],
  ])('leaves every account at zero after %s', (_what, first, second) => {
    const journals = [first(terms), ...(second ? [second(terms)] : []), refundPaid(terms)]
    const sums = new Map<string, number>()
    for (const { account, amount } of journals.flatMap(({ entries }) => entries))
      sums.set(account, (sums.get(account) ?? 0) + amount)
    expect(new Set(sums.values())).toEqual(new Set([0]))
  })
})
