import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type ApiKeys } from './http/api-keys.ts'
import { transaction, type Database } from './payments/database.ts'
import type { EventContext } from './webhooks/event-context.ts'
import type { Faults, Operation, FaultTarget } from './faults/faults.ts'
import { parseForm, rejectUnknown, type Form } from './http/form.ts'
import { runIdempotent, type CallResponse, type IdempotentRequest } from './http/idempotency.ts'
import type { AcceptedParameters } from './http/parameters.ts'
import type { IntentCall } from './payments/intent-call.ts'
import { Problem } from './http/problems.ts'

export interface CardNetwork {
  readonly database: Database
  readonly keys: ApiKeys
  /** Whether webhooks are sent. */
  readonly sendsWebhooks: boolean
  readonly faults: Faults
  /** Number of confirmations of an intent after which the next one cancels it. */
  readonly maxConfirmations: number
  readonly onChange: () => void
}

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly parameters: AcceptedParameters
  readonly operation: Operation
  readonly isPublic: boolean
  readonly run: (call: IntentCall) => CallResponse
}

const defaultApiVersion = '2026-10-28.endive'
export const internalError = { error: { type: 'api_error', message: 'An error occurred in the local card network.' } }

/** Serves one call, or applies a fault that a test has added. */
export async function serve(
  network: CardNetwork,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = typeof request.body === 'string' ? request.body : (request.url.split('?')[1] ?? '')
  const form = parseForm(body)
  const caller = callerOf(network.keys, request.headers.authorization, form)
  if (caller === 'publishable' && !route.isPublic) throw secretKeyRequired()
  const call = { ...callOf(network, request, form), caller }
  const target = targetOf(route, call)
  if (network.faults.take('down', target)) return breakConnection(request, reply)
  // Checked before the idempotency key, like at Stripe: this error is not stored under the key.
  rejectUnknown(call.form, route.parameters)
  const response = runCall(network, route, {
    ...call,
    key: header(request, 'idempotency-key'),
    path: request.url,
    body,
  })
  const timeOut = network.faults.take('time_out', target)
  if (timeOut) await setTimeout(timeOut.ms)
  if (timeOut) return breakConnection(request, reply)
  if (response.replayed) reply.header('idempotent-replayed', 'true')
  // Like at Stripe, because a retry under the same key would return the stored 500 response.
  if (response.status === 500) reply.header('stripe-should-retry', 'false')
  return reply.code(response.status).send(response.body)
}

function runCall(
  network: CardNetwork,
  route: Route,
  call: IntentCall & IdempotentRequest,
): CallResponse & { replayed: boolean } {
  const target = targetOf(route, call)
  const run = () => {
    if (network.faults.take('refuse', target)) return { status: 500, body: internalError }
    const response = runRoute(route, call)
    // Stored under the key like any other response, like at Stripe.
    return network.faults.take('error', target) ? { status: 500, body: internalError } : response
  }
  if (route.method === 'GET') return { ...run(), replayed: false }
  const response = transaction(network.database, () => runIdempotent(network.database, call, run))
  network.onChange()
  return response
}

function targetOf({ operation }: Route, { id, form }: IntentCall): FaultTarget {
  return { operation, intent: id || (form.get('payment_intent') ?? '') }
}

// Breaks the caller's connection.
function breakConnection(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

export function eventsOf(
  { sendsWebhooks, faults }: Pick<CardNetwork, 'sendsWebhooks' | 'faults'>,
  apiVersion = defaultApiVersion,
): EventContext {
  return { isSent: sendsWebhooks, faults, apiVersion }
}

function callOf(network: CardNetwork, request: FastifyRequest, form: Form): Omit<IntentCall, 'caller'> {
  const params: unknown = request.params
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
  return {
    database: network.database,
    faults: network.faults,
    maxConfirmations: network.maxConfirmations,
    events: eventsOf(network, header(request, 'stripe-version')),
    id,
    form: new Map([...form].filter(([name]) => name !== 'key' && name !== '_stripe_version')),
  }
}

// Problems are thrown before the first write, so the transaction stores only their response.
function runRoute(route: Route, call: IntentCall): CallResponse {
  try {
    return route.run(call)
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, body: { error: error.details } }
    throw error
  }
}

function secretKeyRequired(): Problem {
  const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
  return new Problem(403, { type: 'invalid_request_error', message, code: 'secret_key_required' })
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
