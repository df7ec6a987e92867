import { required, type Form } from '../http/form.ts'
import { newId } from '../http/ids.ts'
import { cardProblem, invalidRequest, type ProblemDetails } from '../http/problems.ts'

export type CardOutcome =
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'requires_action' }
  | { readonly kind: 'declines'; readonly error: ProblemDetails }

const requiresAction = { kind: 'requires_action' } as const
const succeeds = { kind: 'succeeds' } as const

export const cardDeclined = problem('card_declined', 'Your card was declined.', 'generic_decline')

// Numbers of Stripe's list of test cards; any other valid number is charged.
const outcomesByNumber: Record<string, CardOutcome> = {
  4000000000000002: { kind: 'declines', error: cardDeclined },
  4000000000009995: declines('card_declined', 'Your card has insufficient funds.', 'insufficient_funds'),
  4000000000000069: declines('expired_card', 'Your card has expired.'),
  4000000000000127: declines('incorrect_cvc', "Your card's security code is incorrect."),
  4000000000000119: declines(
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ),
  4000002500003155: requiresAction,
}

// Stripe's predefined payment methods, for callers with the secret key.
const numbersByMethod: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_authenticationRequired: '4000002500003155',
}

export interface PresentedCard {
  readonly id: string
  readonly outcome: CardOutcome
}

/** Returns the card of a confirmation. Rejects an invalid card with Stripe's error. */
export function readCard(form: Form, now: Date): PresentedCard {
  const method = form.get('payment_method')
  const number = method === undefined ? readNumber(form, now) : numbersByMethod[method]
  if (number === undefined)
    throw invalidRequest(`No such PaymentMethod: '${method}'`, 'resource_missing', 'payment_method')
  return { id: newId('pm'), outcome: outcomesByNumber[number] ?? succeeds }
}

function readNumber(form: Form, now: Date): string {
  if (required(form, 'payment_method_data[type]') !== 'card')
    throw invalidRequest('This card network takes cards only.', undefined, 'payment_method_data[type]')
  const number = (form.get('payment_method_data[card][number]') ?? '').replaceAll(/[ -]/g, '')
  if (number === '') throw cardProblem('Your card number is incomplete.', 'incomplete_number', 'number')
  if (!/^\d{12,19}$/.test(number))
    throw cardProblem('The card number is not a valid credit card number.', 'invalid_number', 'number')
  if (!passesLuhn(number)) throw cardProblem('Your card number is incorrect.', 'incorrect_number', 'number')
  assertExpiry(
    form.get('payment_method_data[card][exp_month]') ?? '',
    form.get('payment_method_data[card][exp_year]') ?? '',
    now,
  )
  const cvc = form.get('payment_method_data[card][cvc]') ?? ''
  if (cvc === '') throw cardProblem("Your card's security code is incomplete.", 'incomplete_cvc', 'cvc')
  if (!/^\d{3,4}$/.test(cvc)) throw cardProblem("Your card's security code is invalid.", 'invalid_cvc', 'cvc')
  return number
}

function assertExpiry(monthText: string, yearText: string, now: Date): void {
  if (monthText === '' || yearText === '')
    throw cardProblem("Your card's expiration date is incomplete.", 'incomplete_expiry', 'exp_month')
  const month = Number(monthText)
  const year = Number(yearText) < 100 ? 2000 + Number(yearText) : Number(yearText)
  if (!Number.isInteger(month) || month < 1 || month > 12)
    throw cardProblem("Your card's expiration month is invalid.", 'invalid_expiry_month', 'exp_month')
  const thisYear = now.getUTCFullYear()
  if (!Number.isInteger(year) || year < thisYear || year > thisYear + 50)
    throw cardProblem("Your card's expiration year is invalid.", 'invalid_expiry_year', 'exp_year')
  if (year === thisYear && month < now.getUTCMonth() + 1)
    throw cardProblem("Your card's expiration month is invalid.", 'invalid_expiry_month', 'exp_month')
}

function passesLuhn(number: string): boolean {
  const digits = Array.from(number, Number).toReversed()
  const sum = digits.reduce(
    (total, digit, index) => total + (index % 2 === 0 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9),
    0,
  )
  return sum % 10 === 0
}

function declines(code: string, message: string, decline_code?: string): CardOutcome {
  return { kind: 'declines', error: problem(code, message, decline_code) }
}

function problem(code: string, message: string, decline_code?: string): ProblemDetails {
  return { type: 'card_error', code, decline_code, message }
}
