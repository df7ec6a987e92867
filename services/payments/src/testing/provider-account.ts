import { eventually } from '@marketplace/testing/eventually.ts'
import { Stripe } from 'stripe'
import { openProvider, openStripe } from '../provider/provider.ts'
import type { ProviderTarget } from '../provider/provider.conformance.ts'

interface Account {
  secretKey: string
  /** Base URL that replaces Stripe's. */
  apiBase?: string
}

/**
 * Opens an account at a card provider over HTTP. Webhooks cannot reach a machine without a public address, so their
 * events are fetched from the provider and signed by the SDK.
 */
export function openAccount({ secretKey, apiBase }: Account): Omit<ProviderTarget, 'close'> {
  const settings = { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase, PROVIDER_TIMEOUT_MS: 30_000 }
  const stripe = openStripe(settings)
  const secret = 'whsec_scenarios'
  return {
    provider: openProvider(settings),
    stripe,
    async sendUntyped(parameters) {
      const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': Stripe.API_VERSION }
      const body = new URLSearchParams(parameters)
      const response = await fetch(new URL('/v1/payment_intents', apiBase ?? 'https://api.stripe.com'), {
        method: 'POST',
        headers,
        body,
      })
      const { error } = await response.json()
      return { status: response.status, code: error?.code, param: error?.param }
    },
    async webhookOf(intentId, type) {
      const event = await eventually(async () => {
        const { data } = await stripe.events.list({ type, limit: 100 } satisfies Stripe.EventListParams)
        return data.find(({ data: { object } }) => 'id' in object && object.id === intentId)
      })
      const payload = JSON.stringify(event)
      return {
        raw: Buffer.from(payload),
        signature: stripe.webhooks.generateTestHeaderString({ payload, secret }),
        secret,
      }
    },
  }
}
