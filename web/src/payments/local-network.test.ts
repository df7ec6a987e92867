import { afterEach, describe, expect, it, vi } from 'vitest'
import { authenticateCard, confirmCard } from './local-network.ts'

const network = { apiBase: 'http://cards.test', publishableKey: 'pk_1' }
const card = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' }

function answerWith(status: number, body: unknown) {
  const sent: { url: string; fields: Record<string, string> }[] = []
  vi.stubGlobal('fetch', async (url: string, init: { body: URLSearchParams }) => {
    sent.push({ url, fields: Object.fromEntries(init.body) })
    return Response.json(body, { status })
  })
  return sent
}

describe('the local card network', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is sent the card as Stripe’s own client would send it', async () => {
    const sent = answerWith(200, { id: 'pi_1', status: 'succeeded', last_payment_error: null })
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

  it('says in its words why a card was declined', async () => {
    answerWith(402, { error: { message: 'Your card was declined.' } })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({
      kind: 'failed',
      message: 'Your card was declined.',
    })
  })

  it('tells that the payment was canceled elsewhere, at either step', async () => {
    const error = {
      code: 'payment_intent_unexpected_state',
      message: 'You cannot.',
      payment_intent: { status: 'canceled' },
    }
    answerWith(400, { error })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'canceled' })
    expect(await authenticateCard(network, 'pi_1_secret_x', true)).toEqual({ kind: 'canceled' })
  })

  it('does not take another unexpected state for a cancellation', async () => {
    const error = { code: 'payment_intent_unexpected_state', message: 'Paid.', payment_intent: { status: 'succeeded' } }
    answerWith(400, { error })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'failed', message: 'Paid.' })
  })

  it('fails without words where the network has none', async () => {
    answerWith(500, {})
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'failed', message: null })
  })

  it('passes on that the bank asks, and the answer to it', async () => {
    answerWith(200, { id: 'pi_1', status: 'requires_action', last_payment_error: null })
    expect(await confirmCard(network, 'pi_1_secret_x', card)).toEqual({ kind: 'asks' })
    const refused = { id: 'pi_1', status: 'requires_payment_method', last_payment_error: { message: 'Not you.' } }
    const sent = answerWith(200, refused)
    expect(await authenticateCard(network, 'pi_1_secret_x', false)).toEqual({ kind: 'failed', message: 'Not you.' })
    expect(sent[0]?.fields).toMatchObject({ outcome: 'fail' })
  })
})
