import type { FastifyInstance } from 'fastify'
import { streamTemplate } from '../live/stream.routes.ts'
import { createReadSlots } from './read-slots.ts'

export interface ReadQueueLimits {
  perUser: number
  perAddress: number
}

/** Lets each client have so many reads in progress; further ones wait in the gateway. Live streams do not count. */
export function queueReads(app: FastifyInstance, { perUser, perAddress }: ReadQueueLimits): void {
  const slots = createReadSlots()
  app.addHook('onRequest', async ({ target, client }, reply) => {
    if (client === null || target?.route.rate !== 'read' || target.route.template === streamTemplate) return
    const isClosed = new AbortController()
    reply.raw.on('close', () => isClosed.abort())
    const [key, limit] = 'userId' in client ? [client.userId, perUser] : [client.network, perAddress]
    const release = await slots.acquire(key, limit, isClosed.signal)
    if (reply.raw.closed) release()
    else reply.raw.on('close', release)
  })
}
