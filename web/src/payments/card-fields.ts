import type { Ref } from 'react'

/** A null message is a failure that the provider did not put in words. Canceled: the hold ended, or another tab closed it. */
export type CardOutcome =
  | { kind: 'succeeded'; paymentIntentId: string }
  | { kind: 'canceled' }
  | { kind: 'failed'; message: string | null }

/** Stripe's error, as far as an outcome is read from it. */
export type ProviderError = { message?: string; code?: string; payment_intent?: { status: string } }

export function toFailure(error: ProviderError | undefined): CardOutcome {
  const isUnexpected = error?.code === 'payment_intent_unexpected_state'
  if (isUnexpected && error.payment_intent?.status === 'canceled') return { kind: 'canceled' }
  return { kind: 'failed', message: error?.message ?? null }
}

/** What the payment dialog asks of a mounted card form, whichever provider is behind it. */
export type CardFields = { confirm(clientSecret: string): Promise<CardOutcome> }

export type CardFieldsProps = { publishableKey: string; isInvalid: boolean; ref: Ref<CardFields> }
