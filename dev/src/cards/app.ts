import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { callerOf, type ApiKeys } from './api-keys.ts'
import { transaction, type Database } from './database.ts'
import type { EventContext } from './events.ts'
import { parseForm, type Form } from './form.ts'
import { answerOnce, type Answer } from './idempotency.ts'
import { newId } from './ids.ts'
import { authenticate, cancelIntent, confirm, create, retrieve, type IntentCall } from './payment-intents.ts'
import { Problem } from './problems.ts'
import { createRefund, getRefund } from './refunds.ts'

export type CardNetwork = {
  readonly database: Database
  readonly keys: ApiKeys
  readonly events: Omit<EventContext, 'apiVersion'>
  readonly onChange: () => void
}

type Route = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly isPublic: boolean
  readonly run: (call: IntentCall) => Answer
}

const INTENT = '/v1/payment_intents/:id'
const ROUTES: readonly Route[] = [
  { method: 'POST', url: '/v1/payment_intents', isPublic: false, run: create },
  { method: 'GET', url: INTENT, isPublic: true, run: retrieve },
  { method: 'POST', url: `${INTENT}/confirm`, isPublic: true, run: confirm },
  { method: 'POST', url: `${INTENT}/authenticate`, isPublic: true, run: authenticate },
  { method: 'POST', url: `${INTENT}/cancel`, isPublic: false, run: cancelIntent },
  {
    method: 'POST',
    url: '/v1/refunds',
    isPublic: false,
    run: ({ database, form }) => ({ status: 200, body: createRefund(database, form) }),
  },
  {
    method: 'GET',
    url: '/v1/refunds/:id',
    isPublic: false,
    run: ({ database, id }) => ({ status: 200, body: getRefund(database, id) }),
  },
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
  return app
}

function serve(network: CardNetwork, route: Route, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body = typeof request.body === 'string' ? request.body : (request.url.split('?')[1] ?? '')
  const form = parseForm(body)
  const caller = callerOf(network.keys, request.headers.authorization, form)
  if (caller === 'publishable' && !route.isPublic) throw secretKeyRequired()
  const call = { ...callOf(network, request, form), caller }
  if (route.method === 'GET') return reply.code(200).send(route.run(call).body)
  const key = header(request, 'idempotency-key')
  const answer = transaction(network.database, () =>
    answerOnce(network.database, { key, path: request.url, body }, () => runOrRefuse(route, call)),
  )
  network.onChange()
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(answer.status).send(answer.body)
}

function callOf(network: CardNetwork, request: FastifyRequest, form: Form): Omit<IntentCall, 'caller'> {
  const params: unknown = request.params
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
  const events = { ...network.events, apiVersion: header(request, 'stripe-version') ?? API_VERSION }
  return {
    database: network.database,
    events,
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
  return reply.code(500).send({ error: { type: 'api_error', message: 'An error occurred in the local card network.' } })
}

function secretKeyRequired(): Problem {
  const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
  return new Problem(403, { type: 'invalid_request_error', message, code: 'secret_key_required' })
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
