import { unavailable } from '@marketplace/kit/problem.ts'
import { Stripe } from 'stripe'
import type { Intent } from '../sale/intent.ts'
import type { PaymentsSettings } from '../config.ts'

/** The card provider. Without an answer its calls reject as unavailable, and what it did is not known. */
export interface Provider {
  /** The same key answers the same intent. Rejects with NotChargeable when it does not take the amount. */
  createIntent(order: { key: string; saleId: string; amount: number }): Promise<Intent>
  readIntent(id: string): Promise<Intent>
  /** Answers the intent as it is afterwards, cancelled or not. */
  cancelIntent(id: string, key: string): Promise<Intent>
  /** Gives this much back, once; the same key makes the same refund. */
  refundIntent(order: { intentId: string; amount: number; key: string }): Promise<RefundStatus>
}

/** Failed: refused, or it did not reach the buyer. */
export type RefundStatus = 'succeeded' | 'pending' | 'failed'

/** The provider does not take this amount. */
export class NotChargeable extends Error {}

type ProviderSettings = Pick<PaymentsSettings, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE' | 'PROVIDER_TIMEOUT_MS'>

const { StripeError, StripeInvalidRequestError } = Stripe.errors

// A wrong key or a request that can never work is a setting or a bug; everything else may work in a moment.
const lastingErrors = [
  StripeInvalidRequestError,
  Stripe.errors.StripeIdempotencyError,
  Stripe.errors.StripeAuthenticationError,
  Stripe.errors.StripePermissionError,
]

export function openProvider(settings: ProviderSettings): Provider {
  const stripe = openStripe(settings)
  const { paymentIntents } = stripe
  const readIntent = async (id: string) => toIntent(await answered(paymentIntents.retrieve(id)))
  return {
    readIntent,
    async createIntent({ key, saleId, amount }) {
      const order = { amount, currency: 'usd', payment_method_types: ['card'], metadata: { sale: saleId } }
      const created = paymentIntents.create(order, { idempotencyKey: key }).catch((error: unknown) => {
        throw refusesAmount(error) ? new NotChargeable() : error
      })
      return toIntent(await answered(created))
    },
    async cancelIntent(id, key) {
      const cancelled = paymentIntents.cancel(id, {}, { idempotencyKey: key }).catch((error: unknown) => {
        if (error instanceof StripeInvalidRequestError) return undefined
        throw error
      })
      const intent = await answered(cancelled)
      return intent ? toIntent(intent) : readIntent(id)
    },
    async refundIntent({ intentId: payment_intent, amount, key }) {
      const known = await readRefunds(stripe, payment_intent)
      // A key answers what it answered first, a fault or `pending` too: what became of it is only seen here.
      if (known.succeeded >= amount) return 'succeeded'
      if (known.succeeded + known.pending >= amount) return 'pending'
      const created = stripe.refunds.create({ payment_intent }, { idempotencyKey: key }).catch((error: unknown) => {
        if (error instanceof StripeInvalidRequestError) return undefined
        throw error
      })
      return toRefundStatus((await answered(created))?.status)
    },
  }
}

async function readRefunds(stripe: Stripe, payment_intent: string): Promise<Record<RefundStatus, number>> {
  const { data } = await answered(stripe.refunds.list({ payment_intent, limit: 100 }))
  const sums = { succeeded: 0, pending: 0, failed: 0 }
  for (const { status, amount } of data) sums[toRefundStatus(status)] += amount
  return sums
}

function toRefundStatus(status: string | null | undefined): RefundStatus {
  if (status === 'succeeded') return 'succeeded'
  return status === 'pending' || status === 'requires_action' ? 'pending' : 'failed'
}

function openStripe({ STRIPE_SECRET_KEY, STRIPE_API_BASE, PROVIDER_TIMEOUT_MS: timeout }: ProviderSettings): Stripe {
  // Two more tries also bridge the provider's 409 while another process asks with the same key.
  const options = { maxNetworkRetries: 2, timeout, telemetry: false }
  if (STRIPE_API_BASE === undefined) return new Stripe(STRIPE_SECRET_KEY, options)
  const { protocol, hostname: host, port } = new URL(STRIPE_API_BASE)
  const isPlain = protocol === 'http:'
  const address = {
    host,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  }
  return new Stripe(STRIPE_SECRET_KEY, { ...options, ...address })
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    throw isPassing(error) ? unavailable('The card provider') : error
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof StripeError && !lastingErrors.some((lasting) => error instanceof lasting)
}

function refusesAmount(error: unknown): boolean {
  return error instanceof StripeInvalidRequestError && error.param === 'amount'
}

function toIntent(intent: Stripe.PaymentIntent): Intent {
  if (intent.client_secret === null) throw new Error(`Intent ${intent.id} has no client secret.`)
  return {
    id: intent.id,
    clientSecret: intent.client_secret,
    status: intent.status,
    amount: intent.amount,
    amountReceived: intent.amount_received,
    currency: intent.currency,
    saleId: intent.metadata['sale'] ?? null,
    paymentMethod: intent.payment_method_types[0] ?? null,
  }
}
