import { someone } from '@marketplace/testing/keys.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service

beforeAll(async () => {
  stand = await startStand()
  service = stand.open()
})
afterAll(() => stand.stop())

describe('a checkout', () => {
  it('PAY-02 answers an intent with its amounts in cents', async () => {
    const item = stand.catalog.addItem()
    const buyer = someone()
    const answer = await call(stand, service, buyer, [
      'POST',
      '/api/payments/create-intent',
      { listing_id: item.listingId, transaction_type: 'buy_now' },
    ])
    expect(answer).toEqual({
      status: 201,
      body: expect.objectContaining({ amount: 2549, sale_price: 1999, transaction_fee: 100, shipping_cost: 450 }),
    })
    const { payment_intent_id, client_secret } = answer.body
    expect(await stand.cards.pay({ payment_intent_id, client_secret })).toBe(200)
    const confirmed = await call(stand, service, buyer, ['POST', '/api/payments/confirm', { payment_intent_id }])
    expect(confirmed.body).toMatchObject({ status: 'completed' })
    expect(confirmed.status).toBe(200)
  })
})
