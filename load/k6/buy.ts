import http from 'k6/http'
import { ask, right, type Answer } from './ask.ts'

interface Intent {
  client_secret: string
  payment_intent_id: string
}

/** Begins a checkout, pays with the card that succeeds, and confirms; false when somebody else has it. */
export function buy(cookie: string, listingId: string, type: 'buy_now' | 'auction_win'): boolean {
  const body = { listing_id: listingId, transaction_type: type }
  const begun = ask('POST', '/api/payments/create-intent', { cookie, body, name: 'create-intent' })
  if (begun.status !== 201 && begun.status !== 200) return false
  const intent: Intent = read(begun.body)
  payByCard(cookie, intent)
  const reference = { payment_intent_id: intent.payment_intent_id }
  const confirmed = ask('POST', '/api/payments/confirm', { cookie, body: reference, name: 'confirm' })
  return confirmed.status === 200
}

/** What the card form in the browser does at the provider. Only the local card network takes a card number like this. */
function payByCard(cookie: string, { client_secret, payment_intent_id: id }: Intent): void {
  const config: { publishable_key: string; api_base: string } = read(
    ask('GET', '/api/stripe/config', { cookie, name: 'stripe config' }).body,
  )
  const form = {
    key: config.publishable_key,
    client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  }
  const url = `${config.api_base}/v1/payment_intents/${id}/confirm`
  right.add(http.post(url, form, { tags: { name: 'the card network' } }).status === 200)
}

/** The JSON of an answer; its shape is the caller's to know. */
export function read(body: Answer['body']) {
  return JSON.parse(typeof body === 'string' ? body : '{}')
}
