import type { FastifyInstance } from 'fastify'
import { streamTemplate } from '../live/stream.routes.ts'
import { createReadSlots } from './read-slots.ts'
import { clientOf } from './request-limits.ts'

export interface ReadQueueLimits {
  perUser: number
  perAddress: number
}

/**
 * Limits the number of concurrent reads per client. Further reads wait in the gateway. Live streams are not limited
 * here.
 */
export function queueReads(app: FastifyInstance, { perUser, perAddress }: ReadQueueLimits): void {
  const slots = createReadSlots()
  app.addHook('onRequest', async (request, reply) => {
    const route = request.target?.route
    if (route?.rate !== 'read' || route.template === streamTemplate) return
    const isClosed = new AbortController()
    reply.raw.on('close', () => isClosed.abort())
    const client = clientOf(request)
    const [key, limit] = 'userId' in client ? [client.userId, perUser] : [client.network, perAddress]
    const release = await slots.acquire(key, limit, isClosed.signal)
    if (reply.raw.closed) release()
    else reply.raw.on('close', release)
  })
}
