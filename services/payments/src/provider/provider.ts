import { Stripe } from 'stripe'
import type { Intent } from '../sale/intent.ts'
import type { PaymentsSettings } from '../config.ts'
import { answered } from './answered.ts'
import { openRefunds, type Refunds } from './refunds.ts'

/** The card provider. Without an answer its calls reject as unavailable, and what it did is not known. */
export interface Provider {
  /** The same key answers the same intent. Rejects with NotChargeable when it does not take the amount. */
  createIntent(order: { key: string; saleId: string; amount: number }): Promise<Intent>
  readIntent(id: string): Promise<Intent>
  /** Answers the intent as it is afterwards, cancelled or not. */
  cancelIntent(id: string, key: string): Promise<Intent>
  /** An intent of this sale that is not cancelled, made at about this instant or since. */
  findIntent(made: { saleId: string; since: Date }): Promise<Intent | undefined>
  refunds: Refunds
}

/** The provider does not take this amount. */
export class NotChargeable extends Error {}

type ProviderSettings = Pick<PaymentsSettings, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE' | 'PROVIDER_TIMEOUT_MS'>

const { StripeInvalidRequestError } = Stripe.errors

// The provider's clock is not ours; it also has to cover the tries of one call.
const skewMs = 10 * 60_000
const maxListed = 10_000

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
    async findIntent({ saleId, since }) {
      const created = { gte: Math.floor((since.getTime() - skewMs) / 1000) }
      // Not the provider's search by metadata: that one is a minute behind.
      const find = paymentIntents.list({ created, limit: 100 }).autoPagingToArray({ limit: maxListed })
      const found = (await answered(find)).find(
        ({ metadata, status }) => metadata['sale'] === saleId && status !== 'canceled',
      )
      return found && toIntent(found)
    },
    refunds: openRefunds(stripe),
  }
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
