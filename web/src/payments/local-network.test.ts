import { afterEach, describe, expect, it, vi } from 'vitest'
import { authenticateCard, confirmCard } from './local-network.ts'

const network = { apiBase: 'http://cards.test', publishableKey: 'pk_1' }
const card = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' }

function respondWith(status: number, body: unknown) {
  const sent: { url: string; fields: Record<string, string> }[] = []
  vi.stubGlobal('fetch', async (url: string, init: { body: URLSearchParams }) => {
    sent.push({ url, fields: Object.fromEntries(init.body) })
    return Response.json(body, { status })
  })
  return sent
}

describe('the local card network', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('receives the card in the format of Stripe’s client', async () => {
    const sent = respondWith(200, { id: 'pi_1', status: 'succeeded', last_payment_error: null })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'succeeded', paymentIntentId: 'pi_1' })
    expect(sent).toEqual([
      {
        url: 'http://cards.test/v1/payment_intents/pi_1/confirm',
        fields: {
          key: 'pk_1',
          client_secret: 'pi_1_secret_x',
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': '4242424242424242',
          'payment_method_data[card][exp_month]': '12',
          'payment_method_data[card][exp_year]': '34',
          'payment_method_data[card][cvc]': '123',
        },
      },
    ])
  })

  it('returns the provider’s message when a card is declined', async () => {
    respondWith(402, { error: { message: 'Your card was declined.' } })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({
      kind: 'failed',
      message: 'Your card was declined.',
    })
  })

  it('reports a payment that was canceled elsewhere, at either step', async () => {
    const error = {
      code: 'payment_intent_unexpected_state',
      message: 'You cannot.',
      payment_intent: { id: 'pi_1', status: 'canceled' },
    }
    respondWith(400, { error })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'canceled' })
    expect(await authenticateCard(network, 'pi_1_secret_x', true)).toEqual({ kind: 'canceled' })
  })

  it.each(['succeeded', 'processing'] as const)(
    'PAY-16 reports a payment that an earlier attempt has submitted, although the provider rejects this one: %s',
    async (status) => {
      const code = 'payment_intent_unexpected_state'
      respondWith(400, { error: { code, message: 'You cannot.', payment_intent: { id: 'pi_1', status } } })
      const submitted = { kind: status, paymentIntentId: 'pi_1' }
      expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual(submitted)
      expect(await authenticateCard(network, 'pi_1_secret_x', true)).toEqual(submitted)
    },
  )

  it('reports any other unexpected state as a failure', async () => {
    const intent = { id: 'pi_1', status: 'requires_capture' }
    const error = { code: 'payment_intent_unexpected_state', message: 'You cannot.', payment_intent: intent }
    respondWith(400, { error })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'failed', message: 'You cannot.' })
  })

  it('reports a payment that the bank has not decided yet', async () => {
    respondWith(200, { id: 'pi_1', status: 'processing', last_payment_error: null })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'processing', paymentIntentId: 'pi_1' })
  })

  it('fails without a message if the provider gives none', async () => {
    respondWith(500, {})
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'failed', message: null })
  })

  it('requires the confirmation of the bank and sends the decision', async () => {
    respondWith(200, { id: 'pi_1', status: 'requires_action', last_payment_error: null })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'requires_confirmation' })
    const refused = { id: 'pi_1', status: 'requires_payment_method', last_payment_error: { message: 'Not you.' } }
    const sent = respondWith(200, refused)
    expect(await authenticateCard(network, 'pi_1_secret_x', false)).toEqual({ kind: 'failed', message: 'Not you.' })
    expect(sent[0]?.fields).toMatchObject({ outcome: 'fail' })
  })
})
