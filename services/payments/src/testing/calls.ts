import type { Service } from '@marketplace/kit/service.ts'
import { expectToMatchContractAt, readContract, type RealAnswer } from '@marketplace/testing/contract.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { addressOf, type Stand } from './stand.ts'

const contract = await readContract('payments')

export interface Intent {
  payment_intent_id: string
  client_secret: string
}

export type Request = ['GET' | 'POST', string, (object | string)?, Record<string, string>?]

/** An answer of the public port; the fields that tests use by name are texts. */
export interface Answer<Body = Record<string, string>> {
  status: number
  body: Body
}

/** Asks a service, over HTTP when it listens; every answer is held to openapi.json. */
export async function call<Body = Record<string, string>>(
  stand: Stand,
  service: Service,
  user: TestUser | null,
  request: Request,
): Promise<Answer<Body>> {
  const [method, url, payload, more = {}] = request
  const headers = { ...(user ? await stand.keys.authorization(user) : {}), ...more }
  const isListening = service.publicApp.server.listening
  const answer = await (isListening ? overHttp : inject)(service, [method, url, payload, headers])
  expectToMatchContractAt(contract, method, url, answer)
  return { status: answer.statusCode, body: JSON.parse(answer.body) }
}

async function inject({ publicApp }: Service, [method, url, payload, headers = {}]: Request): Promise<RealAnswer> {
  return publicApp.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

async function overHttp(service: Service, [method, url, payload, more = {}]: Request): Promise<RealAnswer> {
  const isText = typeof payload === 'string'
  const body = payload === undefined ? {} : { body: isText ? payload : JSON.stringify(payload) }
  const headers = { ...(payload === undefined || isText ? {} : { 'content-type': 'application/json' }), ...more }
  const response = await fetch(`${addressOf(service)}${url}`, { method, headers, ...body })
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

/** Presses Buy It Now on an auction. */
export function buyAuction(stand: Stand, service: Service, user: TestUser | null, listingId: string): Promise<Answer> {
  return call(stand, service, user, ['POST', `/api/auctions/${listingId}/buy-now`])
}

/** Presses Buy Now. */
export function buy(stand: Stand, service: Service, user: TestUser | null, listingId: string): Promise<Answer> {
  const body = { listing_id: listingId, transaction_type: 'buy_now' }
  return call(stand, service, user, ['POST', '/api/payments/create-intent', body])
}

export function confirm(stand: Stand, service: Service, user: TestUser | null, intent: Intent): Promise<Answer> {
  const { payment_intent_id } = intent
  return call(stand, service, user, ['POST', '/api/payments/confirm', { payment_intent_id }])
}

export function cancel(stand: Stand, service: Service, user: TestUser | null, intent: Intent): Promise<Answer> {
  const { payment_intent_id } = intent
  return call(stand, service, user, ['POST', '/api/payments/cancel', { payment_intent_id }])
}

/** A checkout that must succeed. */
export async function openCheckout(stand: Stand, service: Service, user: TestUser, listingId: string): Promise<Intent> {
  const { status, body } = await buy(stand, service, user, listingId)
  if (status !== 201) throw new Error(`No checkout: ${status} ${JSON.stringify(body)}`)
  const { payment_intent_id = '', client_secret = '' } = body
  return { payment_intent_id, client_secret }
}
