import { buildCardNetwork } from '@marketplace/card-network/app.ts'
import { openDatabase, transaction, type Database } from '@marketplace/card-network/payments/database.ts'
import type { DisputeOptions } from '@marketplace/card-network/payments/dispute.ts'
import { closeDispute, openDispute, withdrawLater } from '@marketplace/card-network/payments/disputes.ts'
import { defaultMaxConfirmations } from '@marketplace/card-network/payments/intent.ts'
import { applyOutcomes, endRefund } from '@marketplace/card-network/payments/outcomes.ts'
import { eventsOf } from '@marketplace/card-network/serve.ts'
import { openFaults, type Faults } from '@marketplace/card-network/faults/faults.ts'
import { startWebhooks, type Webhooks } from '@marketplace/card-network/webhooks/webhooks.ts'
import { openContract } from '@marketplace/card-network/stripe-api/contract.ts'
import { observeCalls } from '@marketplace/card-network/stripe-api/observe.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { Stripe } from 'stripe'

export const cardKeys = {
  STRIPE_SECRET_KEY: 'sk_test_payments',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_payments',
  STRIPE_WEBHOOK_SECRET: 'whsec_payments',
}

export const goodCard = '4242424242424242'
export const declinedCard = '4000000000000002'

interface ReceivedRequest {
  method: string
  path: string
  key: string | undefined
}

/** The local card network in this process. Its responses can be dropped or delayed. */
export interface FakeCardNetwork {
  url: string
  stripe: Stripe
  /** Switches that simulate provider errors. */
  faults: Faults
  /** All requests received. */
  requests: ReceivedRequest[]
  /** Deviations of requests from Stripe's published API. */
  violations: string[]
  /** Requests that match are executed, but their response is dropped. */
  dropsResponse: (request: ReceivedRequest) => boolean
  /** Awaited before a request is executed. */
  before: (request: ReceivedRequest) => Promise<void>
  /** Confirms an intent with a card and its secret, as the web page does. */
  pay(intent: { payment_intent_id: string; client_secret: string }, number?: string): Promise<number>
  /** Opens a dispute, as the cardholder's bank does; returns its id. */
  dispute(intentId: string, options?: Partial<DisputeOptions>): string
  /** Ends an open dispute; a lost one can be won on appeal. */
  endDispute(id: string, outcome: 'won' | 'lost', options?: { returnsFee: boolean }): void
  /** Withdraws the amount of a dispute that was opened without a withdrawal. */
  withdrawDispute(id: string): void
  /** Lets a refund fail, also after it succeeded. */
  failRefund(id: string): void
  /** Applies the outcome of an intent or a refund that a fault has scheduled, without waiting until it is due. */
  applyOutcome(id: string): void
  /** Sends the webhooks of past and future events to this URL. */
  sendWebhooks(url: string): void
  /** Stops the network. Throws when a call or webhook deviated from Stripe's published API. */
  stop(): Promise<void>
}

type Bank = Pick<FakeCardNetwork, 'dispute' | 'endDispute' | 'withdrawDispute' | 'failRefund' | 'applyOutcome'>

export async function startCardNetwork(): Promise<FakeCardNetwork> {
  const database = openDatabase(':memory:')
  const faults = openFaults()
  let webhooks: Webhooks | undefined
  const app = buildCardNetwork({
    database,
    keys: { secret: cardKeys.STRIPE_SECRET_KEY, publishable: cardKeys.STRIPE_PUBLISHABLE_KEY },
    sendsWebhooks: true,
    faults,
    maxConfirmations: defaultMaxConfirmations,
    onChange: () => webhooks?.wake(),
  })
  const contract = openContract()
  observeCalls(app, contract, (violation) => cards.violations.push(violation))
  const lost = new WeakSet<object>()
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    const received = { method: request.method, path: request.url, key: typeof key === 'string' ? key : undefined }
    cards.requests.push(received)
    await cards.before(received)
    if (cards.dropsResponse(received)) lost.add(reply)
  })
  app.addHook('onSend', async (request, reply) => {
    if (lost.has(reply)) request.raw.socket.destroy()
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = new URL(url)
  const cards: FakeCardNetwork = {
    url,
    stripe: new Stripe(cardKeys.STRIPE_SECRET_KEY, {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    }),
    faults,
    requests: [],
    violations: [],
    dropsResponse: () => false,
    before: async () => {},
    pay: (intent, number = goodCard) => confirmAsBrowser(url, intent, number),
    ...openBank(database, faults, () => webhooks?.wake()),
    sendWebhooks(target) {
      webhooks = startWebhooks(database, { url: target, secret: cardKeys.STRIPE_WEBHOOK_SECRET })
    },
    async stop() {
      await app.close()
      await webhooks?.stop()
      const events = database.prepare('SELECT payload FROM events').all()
      cards.violations.push(...events.flatMap(({ payload }) => contract.checkEvent(JSON.parse(String(payload)))))
      database.close()
      if (cards.violations.length > 0) throw new Error(`Not as Stripe's API has it:\n${cards.violations.join('\n')}`)
    },
  }
  return cards
}

function openBank(database: Database, faults: Faults, onChange: () => void): Bank {
  const events = eventsOf({ sendsWebhooks: true, faults })
  return {
    dispute(intentId, options = {}) {
      const dispute = { intentId, reason: 'fraudulent', isInquiry: false, ...options }
      const { id } = openDispute(database, events, dispute)
      onChange()
      return id
    },
    endDispute(id, outcome, options) {
      closeDispute(database, events, { id, hasWon: outcome === 'won', ...options })
      onChange()
    },
    failRefund(id) {
      transaction(database, () => endRefund(database, events, id, false))
      onChange()
    },
    withdrawDispute(id) {
      withdrawLater(database, events, id)
      onChange()
    },
    applyOutcome(id) {
      const { changes } = database.prepare('UPDATE outcomes SET due_at = 0 WHERE object_id = ?').run(id)
      if (Number(changes) !== 1) throw new Error(`${id} has no scheduled outcome.`)
      applyOutcomes(database, events)
      onChange()
    },
  }
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

export interface WebhookEvent {
  id: string
  type: string
  intentId: string
}

export interface SignatureOptions {
  timestamp?: number
  secret?: string
  scheme?: string
}

/** Returns the bytes and the signature of a webhook as the provider sends it. */
export function signedWebhook(
  cards: FakeCardNetwork,
  event: WebhookEvent,
  options: SignatureOptions = {},
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

/** Sends a signed webhook to a service. */
export function postWebhook(cards: FakeCardNetwork, service: Service, event: WebhookEvent, options?: SignatureOptions) {
  const { payload, headers } = signedWebhook(cards, event, options)
  return service.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
}
