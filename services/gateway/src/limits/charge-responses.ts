import { requestCostHeader } from '@marketplace/kit/http/paging.ts'
import type { FastifyInstance } from 'fastify'
import type { RequestLimits } from './request-limits.ts'

/**
 * Charges a client for the cost that a service states for its response, in requests of usual cost. The client does not
 * see the header.
 */
export function chargeResponses(app: FastifyInstance, limits: RequestLimits): void {
  app.addHook('onSend', async ({ client, target }, reply) => {
    const cost = Number(reply.getHeader(requestCostHeader) ?? 1)
    reply.removeHeader(requestCostHeader)
    if (client && target && cost > 1) await limits.charge(target.route.rate, client, cost - 1)
  })
}
