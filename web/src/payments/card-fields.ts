import type { Ref } from 'react'

/**
 * Result of a card payment. The kind is `canceled` if the hold on the item ended or the checkout was canceled in
 * another tab. `message` is null if the card provider sent none.
 */
export type CardOutcome =
  | { kind: 'succeeded'; paymentIntentId: string }
  | { kind: 'canceled' }
  | { kind: 'failed'; message: string | null }

/** The fields of Stripe's error that determine the outcome. */
export interface ProviderError {
  message?: string
  code?: string
  payment_intent?: { status: string }
}

export function toFailure(error: ProviderError | undefined): CardOutcome {
  const isUnexpected = error?.code === 'payment_intent_unexpected_state'
  if (isUnexpected && error.payment_intent?.status === 'canceled') return { kind: 'canceled' }
  return { kind: 'failed', message: error?.message ?? null }
}

/** Interface of a mounted card form, independent of the provider. */
export interface CardFields {
  confirm(clientSecret: string): Promise<CardOutcome>
}

export interface CardFieldsProps {
  publishableKey: string
  isInvalid: boolean
  ref: Ref<CardFields>
}
