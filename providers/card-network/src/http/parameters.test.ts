import type { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readExtract } from '../stripe-api/extract-file.ts'
import { toPinnedApi } from '../stripe-api/pinned-api.ts'
import { TestNetwork } from '@marketplace/tests/support/card-network.ts'
import * as parameters from './parameters.ts'

const { requests } = toPinnedApi(readExtract())

describe('the parameters of a route', () => {
  it.each([
    ['POST /v1/payment_intents', parameters.createIntentParameters],
    ['GET /v1/payment_intents', parameters.listIntentsParameters],
    ['GET /v1/payment_intents/{id}', parameters.retrieveIntentParameters],
    ['POST /v1/payment_intents/{id}/confirm', parameters.confirmIntentParameters],
    ['POST /v1/payment_intents/{id}/cancel', parameters.cancelIntentParameters],
    ['GET /v1/charges', parameters.listChargesParameters],
    ['GET /v1/events', parameters.listEventsParameters],
    ['POST /v1/refunds', parameters.createRefundParameters],
    ['GET /v1/refunds', parameters.listRefundsParameters],
    ['GET /v1/refunds/{id}', parameters.retrieveRefundParameters],
  ])('%s are a subset of Stripe’s published ones', (call, { names }) => {
    const published = Object.keys(requests[call]?.properties ?? {})
    expect(names.filter((name) => !published.includes(name))).toEqual([])
  })
})

describe('an unknown parameter', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await TestNetwork.start()
  })
  // The rejected parameters are violations of the published API.
  afterAll(() => network.stop(network.violations()))

  async function send(method: string, path: string, form: Record<string, string>, key = ''): Promise<unknown> {
    const body = new URLSearchParams(form)
    const headers = { authorization: 'Bearer sk_test_one', ...(key && { 'idempotency-key': key }) }
    const url = `http://127.0.0.1:${network.port}${path}`
    const response = await fetch(method === 'GET' ? `${url}?${body}` : url, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body }),
    })
    return { status: response.status, ...(await response.json()) }
  }

  const order = { amount: '2549', currency: 'usd' }
  const rejection = (code: string, param: string) => ({
    status: 400,
    error: { type: 'invalid_request_error', message: expect.any(String), code, param },
  })

  it.each([
    ['POST', '/v1/payment_intents', { ...order, colour: 'red' }, 'colour'],
    ['POST', '/v1/payment_intents', { ...order, 'payment_details[order_reference]': 'x' }, 'payment_details'],
    ['GET', '/v1/payment_intents', { 'created[since]': '1' }, 'created[since]'],
    ['GET', '/v1/payment_intents/pi_x', { colour: 'red' }, 'colour'],
    [
      'POST',
      '/v1/payment_intents/pi_x/confirm',
      { 'payment_method_data[card][pin]': '1' },
      'payment_method_data[card][pin]',
    ],
    ['POST', '/v1/payment_intents/pi_x/cancel', { reason: 'x' }, 'reason'],
    ['GET', '/v1/charges', { status: 'x' }, 'status'],
    ['POST', '/v1/refunds', { intent: 'pi_x' }, 'intent'],
    ['GET', '/v1/refunds', { intent: 'pi_x' }, 'intent'],
    ['GET', '/v1/refunds/re_x', { colour: 'red' }, 'colour'],
  ])('is rejected by %s %s with Stripe’s error: %o', async (method, path, form, param) => {
    expect(await send(method, path, form)).toEqual(rejection('parameter_unknown', param))
  })

  it.each(['/v1/payment_intents', '/v1/payment_intents/pi_x/confirm'])(
    'that Stripe accepted until 2026-09-30 is rejected by %s with its own code',
    async (path) => {
      const form = path.endsWith('confirm') ? {} : order
      const response = await send('POST', path, { ...form, 'payment_method_types[0]': 'card' })
      expect(response).toEqual(rejection('payment_method_types_no_longer_supported', 'payment_method_types'))
    },
  )

  it('does not use up its idempotency key', async () => {
    await send('POST', '/v1/payment_intents', { ...order, 'payment_method_types[0]': 'card' }, 'freed')
    const right = { amount: 2549, currency: 'usd' } satisfies Stripe.PaymentIntentCreateParams
    const key = { idempotencyKey: 'freed' } satisfies Stripe.RequestOptions
    expect(await network.stripe.paymentIntents.create(right, key)).toMatchObject({ amount: 2549 })
  })
})
