import type { Ref } from 'react'

/**
 * Result of a card payment. The kind is `processing` if the bank has not decided yet, and `canceled` if the hold on the
 * item ended or the checkout was canceled in another tab. `message` is null if the card provider sent none.
 */
export type CardOutcome =
  | { kind: 'succeeded'; paymentIntentId: string }
  | { kind: 'processing'; paymentIntentId: string }
  | { kind: 'canceled' }
  | { kind: 'failed'; message: string | null }

/** A payment for which the buyer has nothing left to do. */
export type SubmittedPayment = Extract<CardOutcome, { paymentIntentId: string }>

export type PaymentResult = SubmittedPayment['kind']

/** What the page shows after a payment. The page polls a payment in processing until it is complete. */
export const paymentMessages: Record<PaymentResult, string> = {
  succeeded: 'Payment successful! Your purchase is complete.',
  processing: "Your payment is being processed. This page will update when it's complete.",
}

interface ProviderIntent {
  id: string
  status: string
}

/** The fields of Stripe's error that determine the outcome. */
export interface ProviderError {
  message?: string
  code?: string
  payment_intent?: ProviderIntent
}

/** Returns the payment of an intent that has succeeded or is being processed; otherwise null. */
export function toSubmittedPayment({ id, status }: ProviderIntent): SubmittedPayment | null {
  return status === 'succeeded' || status === 'processing' ? { kind: status, paymentIntentId: id } : null
}

/**
 * Returns the outcome of an attempt that the provider rejected. An earlier attempt may have succeeded although its
 * response was lost: the provider then rejects the next one, and its error contains the intent.
 */
export function outcomeOfError(error: ProviderError | undefined): CardOutcome {
  const intent = error?.payment_intent
  const submitted = intent && toSubmittedPayment(intent)
  if (submitted) return submitted
  const isUnexpected = error?.code === 'payment_intent_unexpected_state'
  if (isUnexpected && intent?.status === 'canceled') return { kind: 'canceled' }
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
