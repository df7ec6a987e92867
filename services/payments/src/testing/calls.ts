import type { Service } from '@marketplace/kit/app/service.ts'
import { expectToMatchContractAt, readContract, type InjectedResponse } from '@marketplace/testing/contract.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { addressOf, type Harness } from './harness.ts'

const contract = await readContract('payments')

export interface Intent {
  payment_intent_id: string
  client_secret: string
}

export type Request = ['GET' | 'POST', string, (object | string)?, Record<string, string>?]

/** Response of the public port. Fields that tests read by name are strings. */
export interface ApiResponse<Body = Record<string, string>> {
  status: number
  body: Body
}

/** Sends a request, over HTTP when the service listens. Validates every response against openapi.json. */
export async function call<Body = Record<string, string>>(
  harness: Harness,
  service: Service,
  user: TestUser | null,
  request: Request,
): Promise<ApiResponse<Body>> {
  const [method, url, payload, more = {}] = request
  const headers = { ...(user ? await harness.keys.authorization(user) : {}), ...more }
  const isListening = service.publicApp.server.listening
  const response = await (isListening ? overHttp : inject)(service, [method, url, payload, headers])
  expectToMatchContractAt(contract, method, url, response)
  return { status: response.statusCode, body: JSON.parse(response.body) }
}

async function inject(
  { publicApp }: Service,
  [method, url, payload, headers = {}]: Request,
): Promise<InjectedResponse> {
  return publicApp.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

async function overHttp(service: Service, [method, url, payload, more = {}]: Request): Promise<InjectedResponse> {
  const isText = typeof payload === 'string'
  const body = payload === undefined ? {} : { body: isText ? payload : JSON.stringify(payload) }
  const headers = { ...(payload === undefined || isText ? {} : { 'content-type': 'application/json' }), ...more }
  const response = await fetch(`${addressOf(service)}${url}`, { method, headers, ...body })
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

/** Starts the buy-it-now checkout of an auction. */
export function buyAuction(
  harness: Harness,
  service: Service,
  user: TestUser | null,
  listingId: string,
): Promise<ApiResponse> {
  return call(harness, service, user, ['POST', `/api/auctions/${listingId}/buy-now`])
}

/** Creates a payment intent for a `buy_now` sale. */
export function buy(
  harness: Harness,
  service: Service,
  user: TestUser | null,
  listingId: string,
): Promise<ApiResponse> {
  const body = { listing_id: listingId, transaction_type: 'buy_now' }
  return call(harness, service, user, ['POST', '/api/payments/create-intent', body])
}

export function confirm(
  harness: Harness,
  service: Service,
  user: TestUser | null,
  intent: Intent,
): Promise<ApiResponse> {
  const { payment_intent_id } = intent
  return call(harness, service, user, ['POST', '/api/payments/confirm', { payment_intent_id }])
}

export function cancel(
  harness: Harness,
  service: Service,
  user: TestUser | null,
  intent: Intent,
): Promise<ApiResponse> {
  const { payment_intent_id } = intent
  return call(harness, service, user, ['POST', '/api/payments/cancel', { payment_intent_id }])
}

/** Starts a `buy_now` checkout; throws when it fails. */
export async function openCheckout(
  harness: Harness,
  service: Service,
  user: TestUser,
  listingId: string,
): Promise<Intent> {
  const { status, body } = await buy(harness, service, user, listingId)
  if (status !== 201) throw new Error(`No checkout: ${status} ${JSON.stringify(body)}`)
  const { payment_intent_id = '', client_secret = '' } = body
  return { payment_intent_id, client_secret }
}
