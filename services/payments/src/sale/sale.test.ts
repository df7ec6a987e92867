import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import {
  idempotencyKey,
  intentIdOf,
  isCharged,
  refundKey,
  releaseReason,
  nextStep,
  withFees,
  statusOf,
  termsOf,
  type Sale,
  type SaleState,
  type SaleType,
  type Step,
  type Goal,
} from './sale.ts'

const states = ['new', 'held', 'payable', 'releasing', 'paid', 'released', 'refunding', 'refunded'] as const
const intentId = 'pi_1'

// One row per state: the step for each goal, and for goal `sync` after the sale expired. The steps of goal `sweep` are
// those of `sync`, except that it makes refunds.
const stepsByState: Record<SaleState, { pay: Step; cancel: Step; sync: Step; expired: Step }> = {
  new: { pay: 'hold', cancel: 'release', sync: 'none', expired: 'release' },
  held: { pay: 'ensure-intent', cancel: 'release', sync: 'none', expired: 'release' },
  payable: { pay: 'check-payment', cancel: 'start-release', sync: 'check-payment', expired: 'start-release' },
  releasing: { pay: 'cancel-intent', cancel: 'cancel-intent', sync: 'cancel-intent', expired: 'cancel-intent' },
  released: { pay: 'none', cancel: 'none', sync: 'check-payment', expired: 'check-payment' },
  paid: { pay: 'none', cancel: 'none', sync: 'none', expired: 'none' },
  refunding: { pay: 'none', cancel: 'none', sync: 'none', expired: 'none' },
  refunded: { pay: 'none', cancel: 'none', sync: 'none', expired: 'none' },
}

describe('nextStep', () => {
  for (const state of states) {
    it(`returns the step of each goal in state ${state}`, () => {
      const step = (goal: Goal, isExpired = false) =>
        nextStep({ state, type: 'buy_now', isExpired, intentId, failedAttempts: 0 }, goal)
      expect({ pay: step('pay'), cancel: step('cancel'), sync: step('sync'), expired: step('sync', true) }).toEqual(
        stepsByState[state],
      )
      const [sync, sweep] = [
        [stepsByState[state].sync, stepsByState[state].expired],
        [step('sweep'), step('sweep', true)],
      ]
      expect(sweep).toEqual(state === 'refunding' ? ['refund', 'refund'] : sync)
    })
  }

  it('returns `none` for a released sale without an intent', () => {
    expect(
      nextStep({ state: 'released', type: 'buy_now', isExpired: true, intentId: null, failedAttempts: 0 }, 'sync'),
    ).toBe('none')
  })

  it('recovers a possible intent of an expired sale after a provider error', () => {
    const sale = { state: 'held', type: 'buy_now', intentId: null, failedAttempts: 1 } as const
    expect(nextStep({ ...sale, isExpired: true }, 'sync')).toBe('recover-intent')
    expect(nextStep({ ...sale, isExpired: false }, 'pay')).toBe('ensure-intent')
  })

  it.each(['held', 'payable'] as const)('keeps a won auction in %s when the buyer cancels', (state) => {
    expect(nextStep({ state, type: 'auction_win', isExpired: false, intentId, failedAttempts: 0 }, 'cancel')).toBe(
      'none',
    )
  })
})

describe('the status of a sale', () => {
  it('PAY-17 is completed when paid, cancelled when ended, otherwise pending', () => {
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

describe('the charge of a sale', () => {
  it('was made if the sale is paid, also if the payment was refunded later', () => {
    expect(states.filter((state) => isCharged({ state }))).toEqual(['paid', 'refunding', 'refunded'])
  })
})

const bounds = { MIN_CHARGE_CENTS: 50, MAX_CHARGE_CENTS: 99_999_999 }

function termsAt(price: number) {
  return withFees({ sellerId: 's', title: 't', imageUrl: null, price: cents(price), shipping: cents(0) }, 500)
}

describe('releaseReason', () => {
  const table: [SaleType, boolean, string][] = [
    ['buy_now', true, 'expired'],
    ['buy_now', false, 'cancelled'],
    ['auction_win', true, 'unpaid'],
    ['offer_accepted', true, 'unpaid'],
  ]
  it.each(table)('of %s (expired: %s) is %s', (type, isExpired, reason) => {
    const sale = { reason: null, type, isExpired, terms: termsAt(1999), intentId: null }
    expect(releaseReason(sale, bounds)).toBe(reason)
    expect(releaseReason({ ...sale, reason: 'cancelled' }, bounds)).toBe('cancelled')
  })

  it.each([
    ['auction_win', 47, null, 'not_chargeable'],
    ['auction_win', 48, null, 'unpaid'],
    ['auction_win', 95_238_094, null, 'unpaid'],
    ['auction_win', 95_238_095, null, 'not_chargeable'],
    ['offer_accepted', 47, null, 'not_chargeable'],
    ['buy_now', 47, null, 'expired'],
    // The provider accepted this amount when the intent was created.
    ['auction_win', 47, 'pi_1', 'unpaid'],
  ] as const)('of %s with a price of %i cents and intent %s is %s', (type, price, intentId, reason) => {
    const sale = { reason: null, type, isExpired: true, terms: termsAt(price), intentId }
    expect(releaseReason(sale, bounds)).toBe(reason)
  })
})

describe('the amounts of a sale', () => {
  const amounts = (price: number, shipping: number) => {
    const terms = { sellerId: 's', title: 't', imageUrl: null, price: cents(price), shipping: cents(shipping) }
    const { fee, sellerAmount, amount } = withFees(terms, 500)
    return { fee, sellerAmount, amount }
  }

  it('NUM-02 PAY-04 rounds half a cent of the 5 % fee up', () => {
    const fees = [1, 9, 10, 29, 30, 49, 50, 69, 70, 1999, 2009, 2010, 999_999_999].map((price) => amounts(price, 0).fee)
    expect(fees).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 100, 100, 101, 50_000_000])
  })

  it('charges the fee at the given rate', () => {
    const terms = { sellerId: 's', title: 't', imageUrl: null, price: cents(1999), shipping: cents(450) }
    expect(withFees(terms, 725)).toEqual({ ...terms, feeBasisPoints: 725, fee: 145, sellerAmount: 1854, amount: 2594 })
    expect(withFees(terms, 0)).toMatchObject({ fee: 0, sellerAmount: 1999, amount: 2449 })
  })

  it('PAY-04 charges price, shipping and fee, and pays the seller the price less the fee', () => {
    expect(amounts(1999, 450)).toEqual({ fee: 100, sellerAmount: 1899, amount: 2549 })
    expect(amounts(999_999_999, 999_999_999)).toEqual({
      fee: 50_000_000,
      sellerAmount: 949_999_999,
      amount: 2_049_999_998,
    })
  })
})

describe('a sale', () => {
  const terms = withFees({ sellerId: 's', title: 't', imageUrl: null, price: cents(1999), shipping: cents(450) }, 500)
  const sale: Sale = {
    id: 'sale',
    listingId: 'listing',
    buyerId: 'buyer',
    type: 'buy_now',
    inventoryService: 'catalog',
    listingVersion: null,
    state: 'payable',
    terms,
    intentId,
    paymentMethod: null,
    refundedAmount: 0,
    chargedBackAmount: 0,
    isDisputed: false,
    reason: null,
    version: 1,
    failedAttempts: 0,
    expiresAt: new Date(0),
    isExpired: false,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  }

  it('has its terms and its intent', () => {
    expect([termsOf(sale), intentIdOf(sale)]).toEqual([terms, 'pi_1'])
  })

  it('has none of them in the states before', () => {
    expect(() => termsOf({ ...sale, state: 'new', terms: null })).toThrow('Sale sale has no terms in state new.')
    expect(() => intentIdOf({ ...sale, state: 'held', intentId: null })).toThrow(
      'Sale sale has no intent in state held.',
    )
  })

  it('has another key for a call of the provider after each provider error', () => {
    const keys = [0, 1, 2].map((failedAttempts) => idempotencyKey(sale, 'intent2', failedAttempts))
    expect(keys).toEqual(['sale:intent2', 'sale:intent2:1', 'sale:intent2:2'])
    expect([0, 1].map((failedAttempts) => refundKey('r', failedAttempts))).toEqual(['refund:r', 'refund:r:1'])
  })
})
