import { cents } from '@marketplace/kit/money.ts'
import { describe, expect, it } from 'vitest'
import { lapseReason, nextStep, priced, statusOf, type SaleState, type SaleType, type Step, type Wish } from './sale.ts'

const states = ['new', 'held', 'payable', 'releasing', 'paid', 'released', 'refunding', 'refunded'] as const
const intentId = 'pi_1'

// One row per state: the step for the wish to pay, to cancel and to look, and for a sale whose time is over.
const ways: Record<SaleState, { pay: Step; cancel: Step; look: Step; due: Step }> = {
  new: { pay: 'hold', cancel: 'release', look: 'rest', due: 'release' },
  held: { pay: 'open-intent', cancel: 'release', look: 'rest', due: 'release' },
  payable: { pay: 'read-intent', cancel: 'start-release', look: 'read-intent', due: 'start-release' },
  releasing: { pay: 'cancel-intent', cancel: 'cancel-intent', look: 'cancel-intent', due: 'cancel-intent' },
  released: { pay: 'rest', cancel: 'rest', look: 'read-intent', due: 'read-intent' },
  paid: { pay: 'rest', cancel: 'rest', look: 'rest', due: 'rest' },
  refunding: { pay: 'rest', cancel: 'rest', look: 'refund', due: 'refund' },
  refunded: { pay: 'rest', cancel: 'rest', look: 'rest', due: 'rest' },
}

describe('the way of a sale', () => {
  for (const state of states) {
    it(`leads on from ${state}`, () => {
      const step = (wish: Wish, isDue = false) => nextStep({ state, type: 'buy_now', isDue, intentId, faults: 0 }, wish)
      expect({ pay: step('pay'), cancel: step('cancel'), look: step('look'), due: step('look', true) }).toEqual(
        ways[state],
      )
    })
  }

  it('has nothing to look at once released without an intent', () => {
    expect(nextStep({ state: 'released', type: 'buy_now', isDue: true, intentId: null, faults: 0 }, 'look')).toBe(
      'rest',
    )
  })

  it('looks for an intent behind a fault before it ends', () => {
    const sale = { state: 'held', type: 'buy_now', intentId: null, faults: 1 } as const
    expect(nextStep({ ...sale, isDue: true }, 'look')).toBe('seek-intent')
    expect(nextStep({ ...sale, isDue: false }, 'pay')).toBe('open-intent')
  })

  it.each(['held', 'payable'] as const)('does not end a win in %s because its dialog was closed', (state) => {
    expect(nextStep({ state, type: 'auction_win', isDue: false, intentId, faults: 0 }, 'cancel')).toBe('rest')
  })
})

describe('the status of a sale', () => {
  it('PAY-17 is completed when paid, cancelled when over, else pending', () => {
    expect(Object.fromEntries(states.map((state) => [state, statusOf(state)]))).toEqual({
      new: 'pending',
      held: 'pending',
      payable: 'pending',
      releasing: 'pending',
      paid: 'completed',
      released: 'cancelled',
      refunding: 'cancelled',
      refunded: 'cancelled',
    })
  })
})

describe('the reason of a lapse', () => {
  const table: [SaleType, boolean, string][] = [
    ['buy_now', true, 'expired'],
    ['buy_now', false, 'cancelled'],
    ['auction_win', true, 'unpaid'],
    ['offer_accepted', true, 'unpaid'],
  ]
  it.each(table)('of a %s (due: %s) is %s', (type, isDue, reason) => {
    expect(lapseReason({ type, isDue })).toBe(reason)
  })
})

describe('the amounts of a sale', () => {
  const amounts = (price: number, shipping: number) => {
    const offered = { sellerId: 's', title: 't', imageUrl: null, price: cents(price), shipping: cents(shipping) }
    const { fee, sellerAmount, amount } = priced(offered)
    return { fee, sellerAmount, amount }
  }

  it('NUM-02 PAY-04 rounds the fee of 5 % half a cent up', () => {
    const fees = [1, 9, 10, 29, 30, 49, 50, 69, 70, 1999, 2009, 2010, 999_999_999].map((price) => amounts(price, 0).fee)
    expect(fees).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 100, 100, 101, 50_000_000])
  })

  it('PAY-04 charges price, shipping and fee, and gives the seller the price less the fee', () => {
    expect(amounts(1999, 450)).toEqual({ fee: 100, sellerAmount: 1899, amount: 2549 })
    expect(amounts(999_999_999, 999_999_999)).toEqual({
      fee: 50_000_000,
      sellerAmount: 949_999_999,
      amount: 2_049_999_998,
    })
  })
})
