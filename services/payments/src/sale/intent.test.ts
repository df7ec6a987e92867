import { cents } from '@marketplace/kit/money.ts'
import { describe, expect, it } from 'vitest'
import { IntentMismatch, judgeIntent, type Intent } from './intent.ts'
import { priced, type Sale } from './sale.ts'

const terms = priced({ sellerId: 's', title: 't', imageUrl: null, price: cents(1999), shipping: cents(450) })
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

describe('an intent', () => {
  it('tells what became of its sale', () => {
    const verdicts = ['succeeded', 'canceled', 'processing', 'requires_action', 'requires_payment_method', 'unheard_of']
    expect(verdicts.map((status) => judgeIntent(sale, { ...intent, status }))).toEqual([
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
  it.each(others)('%s completes nothing', (_what, difference) => {
    expect(() => judgeIntent(sale, { ...intent, ...difference })).toThrow(IntentMismatch)
  })
})
