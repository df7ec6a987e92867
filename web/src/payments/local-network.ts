import { outcomeOfError, toSubmittedPayment, type CardOutcome, type ProviderError } from './card-fields.ts'

/**
 * Address and publishable key of the local card network, which replaces Stripe in development. It implements a part of
 * Stripe's browser API.
 */
export interface LocalNetwork {
  apiBase: string
  publishableKey: string
}

export interface Card {
  number: string
  expiry: string
  cvc: string
}

/**
 * Returns the first incomplete field of a card, with the message that Stripe's form would show. Returns null if the
 * card is complete.
 */
export function findMissing(card: Card): { field: keyof Card; message: string } | null {
  if (card.number.replaceAll(' ', '').length < 13)
    return { field: 'number', message: 'Your card number is incomplete.' }
  if (!/^\d\d \/ \d\d$/.test(card.expiry)) {
    return { field: 'expiry', message: 'Your card’s expiration date is incomplete.' }
  }
  if (card.cvc.length < 3) return { field: 'cvc', message: 'Your card’s security code is incomplete.' }
  return null
}

export type LocalOutcome = CardOutcome | { kind: 'requires_confirmation' }

interface Intent {
  id: string
  status: string
  last_payment_error: { message?: string } | null
}

function toOutcome(intent: Intent): LocalOutcome {
  if (intent.status === 'requires_action') return { kind: 'requires_confirmation' }
  return toSubmittedPayment(intent) ?? { kind: 'failed', message: intent.last_payment_error?.message ?? null }
}

async function call(
  network: LocalNetwork,
  step: string,
  clientSecret: string,
  fields: Record<string, string>,
): Promise<LocalOutcome> {
  const [intentId = ''] = clientSecret.split('_secret_')
  const response = await fetch(`${network.apiBase}/v1/payment_intents/${intentId}/${step}`, {
    method: 'POST',
    body: new URLSearchParams({ key: network.publishableKey, client_secret: clientSecret, ...fields }),
  })
  const body = await response.json()
  if (response.ok) return toOutcome(body)
  const { error }: { error?: ProviderError } = body
  return outcomeOfError(error)
}

export function confirmCard(network: LocalNetwork, clientSecret: string, card: Card): Promise<LocalOutcome> {
  const [month = '', year = ''] = card.expiry.split('/').map((part) => part.trim())
  return call(network, 'confirm', clientSecret, {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number.replaceAll(' ', ''),
    'payment_method_data[card][exp_month]': month,
    'payment_method_data[card][exp_year]': year,
    'payment_method_data[card][cvc]': card.cvc,
  })
}

/** Tells the local card network whether the user approved the payment in the simulated bank confirmation. */
export function authenticateCard(
  network: LocalNetwork,
  clientSecret: string,
  isGranted: boolean,
): Promise<LocalOutcome> {
  return call(network, 'authenticate', clientSecret, { outcome: isGranted ? 'succeed' : 'fail' })
}
