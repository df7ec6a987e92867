import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Problem } from '../http/problems.ts'
import { transaction } from '../payments/database.ts'
import { closeDispute, openDispute } from '../payments/disputes.ts'
import { endRefund } from '../payments/outcomes.ts'
import { eventsOf, type CardNetwork } from '../serve.ts'

const OpenDispute = z.strictObject({
  intent: z.string(),
  amount: z.int().min(1).optional(),
  reason: z.string().default('fraudulent'),
  is_inquiry: z.boolean().default(false),
})
const CloseDispute = z.strictObject({ outcome: z.enum(['won', 'lost']) })
const Path = z.object({ id: z.string() })

/**
 * Registers what happens at Stripe without a call of its API: the cardholder's bank opens and ends disputes and sends refunds
 * back. A refund in Stripe's Dashboard is `POST /v1/refunds`.
 */
export function dashboardRoutes(
  app: FastifyInstance,
  network: Pick<CardNetwork, 'database' | 'faults' | 'sendsWebhooks' | 'onChange'>,
): void {
  const { database } = network
  const events = eventsOf(network)
  app.addHook('onResponse', async () => network.onChange())
  app.post('/_test/disputes', (request) => {
    const { intent: intentId, is_inquiry: isInquiry, ...options } = OpenDispute.parse(request.body)
    return openDispute(database, events, { intentId, isInquiry, ...options })
  })
  app.post('/_test/disputes/:id/close', (request) => {
    const { outcome } = CloseDispute.parse(request.body)
    return closeDispute(database, events, { id: Path.parse(request.params).id, hasWon: outcome === 'won' })
  })
  app.post('/_test/refunds/:id/fail', (request) => {
    transaction(database, () => endRefund(database, events, Path.parse(request.params).id, false))
    return {}
  })
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Problem) return reply.code(error.status).send({ error: error.details })
    if (error instanceof z.ZodError) return reply.code(400).send({ error: error.message })
    throw error
  })
}
