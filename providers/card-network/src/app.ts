import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { listCharges, retrieveCharge } from './payments/charges.ts'
import { listDisputes, retrieveDispute } from './payments/disputes.ts'
import { listEvents } from './webhooks/events.ts'
import { newId } from './http/ids.ts'
import { applyOutcomes } from './payments/outcomes.ts'
import {
  authenticateParameters,
  cancelIntentParameters,
  confirmIntentParameters,
  createIntentParameters,
  createRefundParameters,
  listChargesParameters,
  listDisputesParameters,
  listEventsParameters,
  listIntentsParameters,
  listRefundsParameters,
  retrieveChargeParameters,
  retrieveDisputeParameters,
  retrieveIntentParameters,
  retrieveRefundParameters,
  type AcceptedParameters,
} from './http/parameters.ts'
import { authenticate, cancelIntent, confirm, create, listIntents, retrieve } from './payments/payment-intents.ts'
import { Problem } from './http/problems.ts'
import { createRefund, listRefunds, retrieveRefund } from './payments/refunds.ts'
import { eventsOf, internalError, serve, type CardNetwork, type Route } from './serve.ts'

const intentPath = '/v1/payment_intents/:id'
const routes: readonly Route[] = [
  { ...post('/v1/payment_intents', createIntentParameters), operation: 'create', run: create },
  { ...get('/v1/payment_intents', listIntentsParameters), operation: 'list', run: listIntents },
  { ...get(intentPath, retrieveIntentParameters), operation: 'retrieve', isPublic: true, run: retrieve },
  { ...post(`${intentPath}/confirm`, confirmIntentParameters), operation: 'confirm', isPublic: true, run: confirm },
  {
    ...post(`${intentPath}/authenticate`, authenticateParameters),
    operation: 'authenticate',
    isPublic: true,
    run: authenticate,
  },
  { ...post(`${intentPath}/cancel`, cancelIntentParameters), operation: 'cancel', run: cancelIntent },
  { ...get('/v1/charges', listChargesParameters), operation: 'list', run: listCharges },
  { ...get('/v1/charges/:id', retrieveChargeParameters), operation: 'read_charge', run: retrieveCharge },
  { ...get('/v1/disputes', listDisputesParameters), operation: 'read_disputes', run: listDisputes },
  { ...get('/v1/disputes/:id', retrieveDisputeParameters), operation: 'read_disputes', run: retrieveDispute },
  { ...get('/v1/events', listEventsParameters), operation: 'list', run: listEvents },
  { ...post('/v1/refunds', createRefundParameters), operation: 'refund', run: createRefund },
  { ...get('/v1/refunds', listRefundsParameters), operation: 'read_refunds', run: listRefunds },
  { ...get('/v1/refunds/:id', retrieveRefundParameters), operation: 'read_refunds', run: retrieveRefund },
]

// The CORS headers of api.stripe.com.
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
  'access-control-expose-headers': 'Request-Id, Stripe-Should-Retry',
  'access-control-max-age': '300',
}
const outcomeIntervalMs = 50

export function buildCardNetwork(network: CardNetwork): FastifyInstance {
  const app = fastify({ logger: false, bodyLimit: 65_536, forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...corsHeaders, 'request-id': newId('req') })
  })
  app.options('/*', (_request, reply) => reply.code(200).send())
  for (const route of routes)
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
  app.setErrorHandler((error, _request, reply) => sendError(error, reply))
  const timer = setInterval(() => applyDueOutcomes(network), outcomeIntervalMs)
  app.addHook('onClose', async () => clearInterval(timer))
  return app
}

function post(url: string, parameters: AcceptedParameters) {
  return { method: 'POST', url, parameters, isPublic: false } as const
}

function get(url: string, parameters: AcceptedParameters) {
  return { method: 'GET', url, parameters, isPublic: false } as const
}

function applyDueOutcomes(network: CardNetwork): void {
  if (applyOutcomes(network.database, eventsOf(network))) network.onChange()
}

function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof Problem) return reply.code(error.status).send({ error: error.details })
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status < 500)
    return reply
      .code(status)
      .send({ error: { type: 'invalid_request_error', message: 'The request could not be read.' } })
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return reply.code(500).send(internalError)
}
