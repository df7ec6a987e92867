import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type ApiKeys } from './api-keys.ts'
import { transaction, type Database } from './database.ts'
import type { EventContext } from './events.ts'
import type { Faults, Operation, Struck } from './faults.ts'
import { parseForm, type Form } from './form.ts'
import { answerOnce, type Answer, type KeyedRequest } from './idempotency.ts'
import type { IntentCall } from './payment-intents.ts'
import { Problem } from './problems.ts'

export type CardNetwork = {
  readonly database: Database
  readonly keys: ApiKeys
  /** Whether webhooks are sent. */
  readonly isTelling: boolean
  readonly faults: Faults
  readonly onChange: () => void
}

export type Route = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly operation: Operation
  readonly isPublic: boolean
  readonly run: (call: IntentCall) => Answer
}

const API_VERSION = '2026-10-28.endive'
export const OUR_FAULT = { error: { type: 'api_error', message: 'An error occurred in the local card network.' } }

/** Serves one call, or lets happen to it what a test has switched on. */
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
  const struck = struckBy(route, call)
  if (network.faults.take('down', struck)) return vanish(request, reply)
  const answer = answerCall(network, route, {
    ...call,
    key: header(request, 'idempotency-key'),
    path: request.url,
    body,
  })
  const silence = network.faults.take('time_out', struck)
  if (silence) await setTimeout(silence.ms)
  if (silence) return vanish(request, reply)
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(answer.status).send(answer.body)
}

function answerCall(
  network: CardNetwork,
  route: Route,
  call: IntentCall & KeyedRequest,
): Answer & { replayed: boolean } {
  const struck = struckBy(route, call)
  const run = () => {
    if (network.faults.take('refuse', struck)) return { status: 500, body: OUR_FAULT }
    const answer = runOrRefuse(route, call)
    // Kept under the key like any other answer, as Stripe keeps it.
    return network.faults.take('error', struck) ? { status: 500, body: OUR_FAULT } : answer
  }
  if (route.method === 'GET') return { ...run(), replayed: false }
  const answer = transaction(network.database, () => answerOnce(network.database, call, run))
  network.onChange()
  return answer
}

function struckBy({ operation }: Route, { id, form }: IntentCall): Struck {
  return { operation, intent: id || (form.get('payment_intent') ?? '') }
}

// The caller sees its connection break.
function vanish(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

export function eventsOf({ isTelling, faults }: CardNetwork, apiVersion = API_VERSION): EventContext {
  return { isSent: isTelling, faults, apiVersion }
}

function callOf(network: CardNetwork, request: FastifyRequest, form: Form): Omit<IntentCall, 'caller'> {
  const params: unknown = request.params
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
  return {
    database: network.database,
    faults: network.faults,
    events: eventsOf(network, header(request, 'stripe-version')),
    id,
    form: new Map([...form].filter(([name]) => name !== 'key' && name !== '_stripe_version')),
  }
}

// Problems are thrown before anything is written, so the transaction keeps only their answer.
function runOrRefuse(route: Route, call: IntentCall): Answer {
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
