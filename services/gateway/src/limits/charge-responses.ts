import { requestCostHeader } from '@marketplace/kit/http/paging.ts'
import type { FastifyInstance } from 'fastify'
import { clientOf, type ChargeClient } from './request-limits.ts'

/**
 * Counts a request with an expensive response as several requests in the client's rate limit. The service sets the
 * number in a response header, which is not sent to the client.
 */
export function chargeResponses(app: FastifyInstance, charge: ChargeClient): void {
  app.addHook('onSend', async (request, reply) => {
    const cost = Number(reply.getHeader(requestCostHeader) ?? 1)
    reply.removeHeader(requestCostHeader)
    if (request.target && cost > 1) await charge(request.target.route.rate, clientOf(request), cost - 1)
  })
}
