import type { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestNetwork } from '@marketplace/tests/support/card-network.ts'
import { readProvider, readProviderSales } from './provider-record.ts'

const good = '4242424242424242'
let network: TestNetwork

beforeAll(async () => {
  network = await TestNetwork.start()
})
afterAll(() => network.stop())

const access = () => ({ secretKey: 'sk_test_one', apiBase: `http://127.0.0.1:${network.port}` })
const read = () => readProvider(access())

it('reads every intent with the amounts received and refunded, over several pages', async () => {
  const intents = await Promise.all(
    Array.from({ length: 130 }, (_, nth) =>
      network.stripe.paymentIntents.create({
        amount: 1000 + nth,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        metadata: { sale: `s${nth}` },
      } satisfies Stripe.PaymentIntentCreateParams),
    ),
  )
  const expected = intents.map(({ id, amount, metadata }, nth) => ({
    id,
    saleId: metadata['sale'],
    status: nth < 110 ? 'succeeded' : nth < 120 ? 'canceled' : 'requires_payment_method',
    received: nth < 110 ? amount : 0,
    refunded: nth < 105 ? amount - nth : 0,
    withdrawn: 0,
    fees: 0,
  }))
  await Promise.all(
    intents.map(async (intent, nth) => {
      if (nth % 10 === 0) await network.confirm(intent, '4000000000000002')
      if (nth < 110) await network.confirm(intent, good)
      if (nth < 105)
        await network.stripe.refunds.create({
          payment_intent: intent.id,
          amount: 1000,
        } satisfies Stripe.RefundCreateParams)
      if (nth >= 110 && nth < 120) await network.stripe.paymentIntents.cancel(intent.id)
    }),
  )
  const byId = (some: readonly { id: string }[]) => some.toSorted((a, b) => a.id.localeCompare(b.id))
  expect(byId(await read())).toEqual(byId(expected))
  const some = expected.slice(90, 125)
  const sales = some.map(({ id, saleId = '' }) => ({ saleId, intentId: id }))
  expect(byId(await readProviderSales(access(), sales))).toEqual(byId(some))
})

it('reads nothing received for a sale whose intent does not exist', async () => {
  const missing = { saleId: 's', intentId: 'pi_missing' }
  expect(await readProviderSales(access(), [missing])).toEqual([
    { id: 'pi_missing', saleId: 's', status: 'none', received: 0, refunded: 0, withdrawn: 0, fees: 0 },
  ])
})

it('rejects a wrong key', async () => {
  const apiBase = `http://127.0.0.1:${network.port}`
  await expect(readProvider({ secretKey: 'sk_test_two', apiBase })).rejects.toThrow('Invalid API Key')
})
