import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import { withFees } from '../sale/sale.ts'
import {
  capture,
  disputeFee,
  disputeLost,
  disputeMoved,
  lateCapture,
  refundDropped,
  refundFailed,
  refundOwed,
  refundPaid,
  refundShareOwed,
} from './ledger.ts'

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

describe('a partial refund', () => {
  const terms = termsOf(1999, 450)

  it.each([
    ['the first part', 0, 1000, { seller: 922, fee: 39 }],
    ['the second part', 1000, 2000, { seller: 922, fee: 39 }],
    ['the rest', 2000, 2549, { seller: 505, fee: 22 }],
  ])('takes %s from the seller and from both fees in the proportions of the payment', (_part, before, after, share) => {
    expect(refundShareOwed(terms, before, after)).toEqual({
      kind: 'refund_owed',
      entries: [
        { account: 'seller', amount: share.seller },
        { account: 'fee:buyer', amount: share.fee },
        { account: 'fee:seller', amount: share.fee },
        { account: 'refund:due', amount: before - after },
      ],
    })
  })

  it('records what exceeds the payment as a loss', () => {
    expect(refundShareOwed(terms, 2500, 2600).entries).toEqual([
      { account: 'seller', amount: 45 },
      { account: 'fee:buyer', amount: 2 },
      { account: 'fee:seller', amount: 2 },
      { account: 'expense:loss', amount: 51 },
      { account: 'refund:due', amount: -100 },
    ])
    expect(refundShareOwed(terms, 2549, 2600).entries).toEqual([
      { account: 'expense:loss', amount: 51 },
      { account: 'refund:due', amount: -51 },
    ])
  })

  it('rounds half a cent of a fee up', () => {
    // The fee is 3 cents of 66, so 11 cents contain half a cent of it.
    expect(refundShareOwed(termsOf(60, 3), 0, 11).entries).toContainEqual({ account: 'fee:buyer', amount: 1 })
    expect(refundShareOwed(termsOf(60, 3), 0, 10).entries).toEqual([
      { account: 'seller', amount: 10 },
      { account: 'refund:due', amount: -10 },
    ])
  })

  it('is exact for the largest amounts', () => {
    const largest = termsOf(999_999_999, 999_999_999)
    const { entries } = refundShareOwed(largest, 0, largest.amount)
    expect(entries).toContainEqual({ account: 'fee:seller', amount: largest.fee })
    expect(sumOf(entries)).toBe(0)
  })

  it('is reversed when its refund failed and is not retried', () => {
    expect(refundDropped(refundShareOwed(terms, 0, 1000))).toEqual({
      kind: 'refund_dropped',
      entries: [
        { account: 'seller', amount: -922 },
        { account: 'fee:buyer', amount: -39 },
        { account: 'fee:seller', amount: -39 },
        { account: 'refund:due', amount: 1000 },
      ],
    })
  })

  it('is owed again when the provider reports later that it failed', () => {
    expect(refundFailed({ amount: 1000 })).toEqual({
      kind: 'refund_failed',
      entries: [
        { account: 'provider', amount: 1000 },
        { account: 'refund:due', amount: -1000 },
      ],
    })
  })
})

describe('a dispute', () => {
  const terms = termsOf(1999, 450)

  it('moves the withdrawn amount to the account of disputes, and back if it is won', () => {
    expect(disputeMoved(-2549)).toEqual({
      kind: 'dispute_opened',
      entries: [
        { account: 'provider', amount: -2549 },
        { account: 'disputed', amount: 2549 },
      ],
    })
    expect(disputeMoved(2549)).toEqual({
      kind: 'dispute_won',
      entries: [
        { account: 'provider', amount: 2549 },
        { account: 'disputed', amount: -2549 },
      ],
    })
  })

  it('takes the amount from the seller and both fees if it is lost', () => {
    expect(disputeLost(terms, { before: 0, withdrawn: 2549, settled: 0 })).toEqual({
      kind: 'dispute_lost',
      entries: [
        { account: 'disputed', amount: -2549 },
        { account: 'seller', amount: 2349 },
        { account: 'fee:buyer', amount: 100 },
        { account: 'fee:seller', amount: 100 },
      ],
    })
  })

  it('replaces an owed refund if it is lost, and is a loss beyond the payment', () => {
    const share = [
      { account: 'seller', amount: 1427 },
      { account: 'fee:buyer', amount: 61 },
      { account: 'fee:seller', amount: 61 },
    ]
    expect(disputeLost(terms, { before: 1000, withdrawn: 2549, settled: 1000 }).entries).toEqual([
      { account: 'disputed', amount: -2549 },
      { account: 'refund:due', amount: 1000 },
      ...share,
    ])
    expect(disputeLost(terms, { before: 1000, withdrawn: 2549, settled: 0 }).entries).toEqual([
      { account: 'disputed', amount: -2549 },
      ...share,
      { account: 'expense:loss', amount: 1000 },
    ])
  })

  it('costs the platform the fee of the provider, who can return it', () => {
    expect(disputeFee(1500)).toEqual({
      kind: 'dispute_fee',
      entries: [
        { account: 'provider', amount: -1500 },
        { account: 'expense:provider', amount: 1500 },
      ],
    })
    expect(disputeFee(-1500).entries).toEqual([
      { account: 'provider', amount: 1500 },
      { account: 'expense:provider', amount: -1500 },
    ])
  })
})
