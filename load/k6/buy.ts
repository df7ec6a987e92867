import http from 'k6/http'
import { send, rightResponses, type LoadResponse } from './send.ts'

interface Intent {
  client_secret: string
  payment_intent_id: string
}

/** Starts a checkout, pays with a card that succeeds, and confirms; returns false when another buyer has the item. */
export function buy(cookie: string, listingId: string, type: 'buy_now' | 'auction_win'): boolean {
  const body = { listing_id: listingId, transaction_type: type }
  const begun = send('POST', '/api/payments/create-intent', { cookie, body, name: 'create-intent' })
  if (begun.status !== 201 && begun.status !== 200) return false
  const intent: Intent = read(begun.body)
  payByCard(cookie, intent)
  const reference = { payment_intent_id: intent.payment_intent_id }
  const confirmed = send('POST', '/api/payments/confirm', { cookie, body: reference, name: 'confirm' })
  return confirmed.status === 200
}

/** Pays at the provider like the card form. Only the local card network accepts a card number in this way. */
function payByCard(cookie: string, { client_secret, payment_intent_id: id }: Intent): void {
  const config: { publishable_key: string; api_base: string } = read(
    send('GET', '/api/stripe/config', { cookie, name: 'stripe config' }).body,
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
  rightResponses.add(http.post(url, form, { tags: { name: 'the card network' } }).status === 200)
}

/** Parses the JSON of a response. The caller declares its type. */
export function read(body: LoadResponse['body']) {
  return JSON.parse(typeof body === 'string' ? body : '{}')
}
