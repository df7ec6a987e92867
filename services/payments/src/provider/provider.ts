import { Stripe } from 'stripe'
import type { Intent } from '../sale/intent.ts'
import type { PaymentsSettings } from '../config.ts'
import { callProvider } from './provider-call.ts'
import { openDisputes, type Disputes } from './disputes.ts'
import { openRefunds, type Refunds } from './refunds.ts'

/**
 * Client of the card provider. Calls throw `unavailable` (503) on a transient error. The provider might have executed
 * the call nevertheless.
 */
export interface Provider {
  /**
   * Creates a payment intent for `amount` cents. Calls with the same key return the same intent. Throws
   * `AmountRejected` if the provider rejects the amount.
   */
  createIntent(order: { key: string; saleId: string; amount: number }): Promise<Intent>
  readIntent(id: string): Promise<Intent>
  /**
   * Cancels an intent and returns it. The returned intent is not cancelled if the provider rejected the cancellation,
   * for example because the intent was already paid.
   */
  cancelIntent(id: string, key: string): Promise<Intent>
  /**
   * Returns up to `limit` intents of all sales, created at or after `since` (seconds since the epoch), newest first.
   * `after` is the id of the last intent on the previous page.
   */
  listIntents(query: { since: number; after: string | null; limit: number }): Promise<IntentPage>
  refunds: Refunds
  disputes: Disputes
}

export interface ListedIntent {
  id: string
  status: string
  saleId: string | null
  /** Creation time by the provider's clock, in seconds since the epoch. */
  createdAt: number
}

export interface IntentPage {
  intents: ListedIntent[]
  hasMore: boolean
}

/** Thrown when the provider rejects the amount. */
export class AmountRejected extends Error {}

type ProviderSettings = Pick<PaymentsSettings, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE' | 'PROVIDER_TIMEOUT_MS'>

const { StripeInvalidRequestError } = Stripe.errors

export function openProvider(settings: ProviderSettings): Provider {
  const stripe = openStripe(settings)
  const { paymentIntents } = stripe
  const readIntent = async (id: string) => toIntent(await callProvider(paymentIntents.retrieve(id)))
  return {
    readIntent,
    async createIntent({ key, saleId, amount }) {
      const order = {
        amount,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        metadata: { sale: saleId },
        transfer_group: saleId,
      } satisfies Stripe.PaymentIntentCreateParams
      const options = { idempotencyKey: key } satisfies Stripe.RequestOptions
      const created = paymentIntents.create(order, options).catch((error: unknown) => {
        throw isAmountRejected(error) ? new AmountRejected() : error
      })
      return toIntent(await callProvider(created))
    },
    async cancelIntent(id, key) {
      const options = { idempotencyKey: key } satisfies Stripe.RequestOptions
      const none = {} satisfies Stripe.PaymentIntentCancelParams
      const cancelled = paymentIntents.cancel(id, none, options).catch((error: unknown) => {
        if (error instanceof StripeInvalidRequestError) return undefined
        throw error
      })
      const intent = await callProvider(cancelled)
      return intent ? toIntent(intent) : readIntent(id)
    },
    async listIntents({ since, after, limit }) {
      const created = { gte: since } satisfies Stripe.RangeQueryParam
      const list =
        after === null
          ? paymentIntents.list({ created, limit: 100 } satisfies Stripe.PaymentIntentListParams)
          : paymentIntents.list({ created, limit: 100, starting_after: after } satisfies Stripe.PaymentIntentListParams)
      // Requests one intent more than the limit, to detect whether there are more.
      const listed = await callProvider(list.autoPagingToArray({ limit: limit + 1 }))
      const intents = listed.slice(0, limit).map(({ id, status, metadata, created: createdAt }) => ({
        id,
        status,
        saleId: metadata['sale'] ?? null,
        createdAt,
      }))
      return { intents, hasMore: listed.length > limit }
    },
    refunds: openRefunds(stripe),
    disputes: openDisputes(stripe),
  }
}

export function openStripe({
  STRIPE_SECRET_KEY,
  STRIPE_API_BASE,
  PROVIDER_TIMEOUT_MS: timeout,
}: ProviderSettings): Stripe {
  // The SDK also retries after status 409, which the provider sends while another request with the same idempotency key
  // is running.
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

function isAmountRejected(error: unknown): boolean {
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
