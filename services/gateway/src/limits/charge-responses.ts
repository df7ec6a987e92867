import { requestCostHeader } from '@marketplace/kit/http/paging.ts'
import type { FastifyInstance } from 'fastify'
import { clientOf, type ChargeClient } from './request-limits.ts'

/**
 * Charges expensive responses to the client's rate limit. A service reports in a response header how many ordinary
 * requests the response counts as. The header is removed before the response is sent to the client.
 */
export function chargeResponses(app: FastifyInstance, charge: ChargeClient): void {
  app.addHook('onSend', async (request, reply) => {
    const cost = Number(reply.getHeader(requestCostHeader) ?? 1)
    reply.removeHeader(requestCostHeader)
    if (request.target && cost > 1) await charge(request.target.route.rate, clientOf(request), cost - 1)
  })
}
