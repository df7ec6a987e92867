import { cents } from '@marketplace/kit/values/money.ts'
import { describe, expect, it } from 'vitest'
import { IntentMismatch, verifyIntent, type Intent } from './intent.ts'
import { withFees, type Sale } from './sale.ts'

const terms = withFees({ sellerId: 's', title: 't', imageUrl: null, price: cents(1999), shipping: cents(450) }, 500)
const sale = { id: 'sale', terms } as Sale
const intent: Intent = {
  id: 'pi_1',
  clientSecret: 'secret',
  status: 'succeeded',
  amount: 2549,
  amountReceived: 2549,
  currency: 'usd',
  saleId: 'sale',
  paymentMethod: 'card',
}

describe('verifyIntent', () => {
  it('maps the provider’s status to an outcome', () => {
    const statuses = ['succeeded', 'canceled', 'processing', 'requires_action', 'requires_payment_method', 'unheard_of']
    expect(statuses.map((status) => verifyIntent(sale, { ...intent, status }))).toEqual([
      'succeeded',
      'cancelled',
      'open',
      'open',
      'open',
      'open',
    ])
  })

  const others: [string, Partial<Intent>][] = [
    ['of another amount', { amount: 2548 }],
    ['that received another amount', { amountReceived: 2548 }],
    ['in another currency', { currency: 'jpy' }],
    ['of another sale', { saleId: 'another' }],
    ['of no sale', { saleId: null }],
  ]
  it.each(others)('rejects an intent %s', (_what, difference) => {
    expect(() => verifyIntent(sale, { ...intent, ...difference })).toThrow(IntentMismatch)
  })

  it.each([{ amount: 2548 }, { currency: 'jpy' }, { saleId: 'another' }])(
    'accepts the cancellation of an unpaid intent with %o, and not of a paid one',
    (difference) => {
      const cancelled = { ...intent, ...difference, status: 'canceled' }
      expect(verifyIntent(sale, { ...cancelled, amountReceived: 0 })).toBe('cancelled')
      expect(() => verifyIntent(sale, cancelled)).toThrow(IntentMismatch)
    },
  )
})
