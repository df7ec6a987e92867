import type { Ref } from 'react'

/** A null message is a failure that the provider did not put in words. */
export type CardOutcome = { kind: 'succeeded'; paymentIntentId: string } | { kind: 'failed'; message: string | null }

/** What the payment dialog asks of a mounted card form, whichever provider is behind it. */
export type CardFields = { confirm(clientSecret: string): Promise<CardOutcome> }

export type CardFieldsProps = { publishableKey: string; isInvalid: boolean; ref: Ref<CardFields> }
