import { buildCardNetwork } from '@marketplace/dev/cards/app.ts'
import { openDatabase } from '@marketplace/dev/cards/database.ts'
import { openFaults, type Faults } from '@marketplace/dev/cards/faults.ts'
import { startWebhooks, type Webhooks } from '@marketplace/dev/cards/webhooks.ts'
import { Stripe } from 'stripe'

export const cardKeys = {
  STRIPE_SECRET_KEY: 'sk_test_payments',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_payments',
  STRIPE_WEBHOOK_SECRET: 'whsec_payments',
}

export const goodCard = '4242424242424242'
export const declinedCard = '4000000000000002'

type Seen = { method: string; path: string; key: string | undefined }

/** The local card network in this process, whose answers can be lost or held back on their way. */
export interface Cards {
  url: string
  stripe: Stripe
  /** Switches for what a provider may do to us. */
  faults: Faults
  /** Every request that came in. */
  seen: Seen[]
  /** Requests for which this is true are served, but their answer never arrives. */
  losesAnswer: (request: Seen) => boolean
  /** Called before a request is served; it waits for the promise. */
  before: (request: Seen) => Promise<void>
  /** Confirms an intent with a card, as the page does with its secret. */
  pay(intent: { payment_intent_id: string; client_secret: string }, number?: string): Promise<number>
  /** Sends the webhooks of what happened and happens to this address. */
  sendWebhooks(url: string): void
  stop(): Promise<void>
}

export async function startCards(): Promise<Cards> {
  const database = openDatabase(':memory:')
  const faults = openFaults()
  let webhooks: Webhooks | undefined
  const app = buildCardNetwork({
    database,
    keys: { secret: cardKeys.STRIPE_SECRET_KEY, publishable: cardKeys.STRIPE_PUBLISHABLE_KEY },
    isTelling: true,
    faults,
    onChange: () => webhooks?.wake(),
  })
  const lost = new WeakSet<object>()
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    const seen = { method: request.method, path: request.url, key: typeof key === 'string' ? key : undefined }
    cards.seen.push(seen)
    await cards.before(seen)
    if (cards.losesAnswer(seen)) lost.add(reply)
  })
  app.addHook('onSend', async (request, reply) => {
    if (lost.has(reply)) request.raw.socket.destroy()
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = new URL(url)
  const cards: Cards = {
    url,
    stripe: new Stripe(cardKeys.STRIPE_SECRET_KEY, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 }),
    faults,
    seen: [],
    losesAnswer: () => false,
    before: async () => {},
    pay: (intent, number = goodCard) => confirmAsBrowser(url, intent, number),
    sendWebhooks(target) {
      webhooks = startWebhooks(database, { url: target, secret: cardKeys.STRIPE_WEBHOOK_SECRET })
    },
    async stop() {
      await app.close()
      await webhooks?.stop()
      database.close()
    },
  }
  return cards
}

async function confirmAsBrowser(
  url: string,
  intent: { payment_intent_id: string; client_secret: string },
  number: string,
): Promise<number> {
  const form = {
    key: cardKeys.STRIPE_PUBLISHABLE_KEY,
    client_secret: intent.client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  }
  const body = new URLSearchParams(form)
  const response = await fetch(`${url}/v1/payment_intents/${intent.payment_intent_id}/confirm`, {
    method: 'POST',
    body,
  })
  await response.body?.cancel()
  return response.status
}

/** A webhook as the provider would send it: its bytes and its signature. */
export function signedWebhook(
  cards: Cards,
  event: { id: string; type: string; intentId: string },
  options: { timestamp?: number; secret?: string; scheme?: string } = {},
): { payload: string; headers: Record<string, string> } {
  const { id, type, intentId } = event
  const object = { id: intentId, object: 'payment_intent' }
  const payload = JSON.stringify({ id, object: 'event', type, api_version: '2020-08-27', data: { object } })
  const signature = cards.stripe.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? cardKeys.STRIPE_WEBHOOK_SECRET,
    ...(options.timestamp === undefined ? {} : { timestamp: options.timestamp }),
    ...(options.scheme === undefined ? {} : { scheme: options.scheme }),
  })
  return { payload, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature } }
}
