import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { listCharges } from './charges.ts'
import { newId } from './ids.ts'
import { bringOutcomes } from './outcomes.ts'
import { authenticate, cancelIntent, confirm, create, listIntents, retrieve } from './payment-intents.ts'
import { Problem } from './problems.ts'
import { createRefund, listRefunds, retrieveRefund } from './refunds.ts'
import { eventsOf, OUR_FAULT, serve, type CardNetwork, type Route } from './serve.ts'

const INTENT = '/v1/payment_intents/:id'
const ROUTES: readonly Route[] = [
  { method: 'POST', url: '/v1/payment_intents', operation: 'create', isPublic: false, run: create },
  { method: 'GET', url: '/v1/payment_intents', operation: 'list', isPublic: false, run: listIntents },
  { method: 'GET', url: INTENT, operation: 'retrieve', isPublic: true, run: retrieve },
  { method: 'POST', url: `${INTENT}/confirm`, operation: 'confirm', isPublic: true, run: confirm },
  { method: 'POST', url: `${INTENT}/authenticate`, operation: 'authenticate', isPublic: true, run: authenticate },
  { method: 'POST', url: `${INTENT}/cancel`, operation: 'cancel', isPublic: false, run: cancelIntent },
  { method: 'GET', url: '/v1/charges', operation: 'list', isPublic: false, run: listCharges },
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
const OUTCOMES_EVERY_MS = 50

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
  if (bringOutcomes(network.database, eventsOf(network))) network.onChange()
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
