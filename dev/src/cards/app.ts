import { setTimeout } from 'node:timers/promises'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { callerOf, type ApiKeys } from './api-keys.ts'
import { transaction, type Database } from './database.ts'
import type { EventContext } from './events.ts'
import type { Faults, Operation, Struck } from './faults.ts'
import { parseForm, type Form } from './form.ts'
import { answerOnce, type Answer, type KeyedRequest } from './idempotency.ts'
import { newId } from './ids.ts'
import { bringOutcomes } from './outcomes.ts'
import { authenticate, cancelIntent, confirm, create, retrieve, type IntentCall } from './payment-intents.ts'
import { Problem } from './problems.ts'
import { createRefund, listRefunds, retrieveRefund } from './refunds.ts'

export type CardNetwork = {
  readonly database: Database
  readonly keys: ApiKeys
  /** Whether webhooks are sent. */
  readonly isTelling: boolean
  readonly faults: Faults
  readonly onChange: () => void
}

type Route = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly operation: Operation
  readonly isPublic: boolean
  readonly run: (call: IntentCall) => Answer
}

const INTENT = '/v1/payment_intents/:id'
const ROUTES: readonly Route[] = [
  { method: 'POST', url: '/v1/payment_intents', operation: 'create', isPublic: false, run: create },
  { method: 'GET', url: INTENT, operation: 'retrieve', isPublic: true, run: retrieve },
  { method: 'POST', url: `${INTENT}/confirm`, operation: 'confirm', isPublic: true, run: confirm },
  { method: 'POST', url: `${INTENT}/authenticate`, operation: 'authenticate', isPublic: true, run: authenticate },
  { method: 'POST', url: `${INTENT}/cancel`, operation: 'cancel', isPublic: false, run: cancelIntent },
  { method: 'POST', url: '/v1/refunds', operation: 'refund', isPublic: false, run: createRefund },
  { method: 'GET', url: '/v1/refunds', operation: 'read_refunds', isPublic: false, run: listRefunds },
  { method: 'GET', url: '/v1/refunds/:id', operation: 'read_refunds', isPublic: false, run: retrieveRefund },
]

// As api.stripe.com answers browsers.
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
  'access-control-expose-headers': 'Request-Id, Stripe-Should-Retry',
  'access-control-max-age': '300',
}
const API_VERSION = '2026-10-28.endive'
const OUTCOMES_EVERY_MS = 50
const OUR_FAULT = { error: { type: 'api_error', message: 'An error occurred in the local card network.' } }

export function buildCardNetwork(network: CardNetwork): FastifyInstance {
  const app = fastify({ logger: false, bodyLimit: 65_536, forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...CORS, 'request-id': newId('req') })
  })
  app.options('/*', (_request, reply) => reply.code(200).send())
  for (const route of ROUTES)
    app.route({
      method: route.method,
      url: route.url,
      handler: (request, reply) => serve(network, route, request, reply),
    })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${request.method}: ${request.url}).`,
      },
    }),
  )
  app.setErrorHandler((error, _request, reply) => answerError(error, reply))
  const timer = setInterval(() => bring(network), OUTCOMES_EVERY_MS)
  app.addHook('onClose', async () => clearInterval(timer))
  return app
}

function bring(network: CardNetwork): void {
  if (bringOutcomes(network.database, eventsOf(network, API_VERSION))) network.onChange()
}

async function serve(
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

function eventsOf({ isTelling, faults }: CardNetwork, apiVersion: string): EventContext {
  return { isSent: isTelling, faults, apiVersion }
}

function callOf(network: CardNetwork, request: FastifyRequest, form: Form): Omit<IntentCall, 'caller'> {
  const params: unknown = request.params
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
  return {
    database: network.database,
    faults: network.faults,
    events: eventsOf(network, header(request, 'stripe-version') ?? API_VERSION),
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

function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof Problem) return reply.code(error.status).send({ error: error.details })
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status < 500)
    return reply
      .code(status)
      .send({ error: { type: 'invalid_request_error', message: 'The request could not be read.' } })
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return reply.code(500).send(OUR_FAULT)
}

function secretKeyRequired(): Problem {
  const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
  return new Problem(403, { type: 'invalid_request_error', message, code: 'secret_key_required' })
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
