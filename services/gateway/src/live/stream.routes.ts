import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../limits/network-of.ts'
import type { LiveAuctions } from './live-auctions.ts'
import { Watcher } from './watcher.ts'

export const streamTemplate = '/api/auctions/{id}/stream'

/** `GET /api/auctions/{id}/stream`: an auction's states as server-sent events, until it is over. */
export function streamRoutes(app: FastifyInstance, live: LiveAuctions): void {
  app.addHook('preClose', async () => live.close())
  app.route({
    method: ['GET', 'HEAD'],
    url: streamTemplate,
    handler: async (request, reply) =>
      request.method === 'HEAD' ? asEvents(reply).send() : watch(live, request, reply),
  })
}

async function watch(live: LiveAuctions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const lastNumber = lastEventId(request)
  const watcher = new Watcher({ lastNumber, isHeldUp: () => reply.raw.writableLength > 0 })
  reply.raw.once('close', () => watcher.destroy())
  const state = await live.watch(watcher, request.target?.parameters[0] ?? '', networkOf(request.ip))
  if (state.isActive || lastNumber === null || lastNumber < state.number) return asEvents(reply).send(watcher)
  // It knows already how the auction ended: 204 keeps an EventSource from coming back.
  watcher.destroy()
  return reply.code(204).send()
}

function asEvents(reply: FastifyReply): FastifyReply {
  return reply.type('text/event-stream; charset=utf-8').headers({ 'x-accel-buffering': 'no', connection: 'close' })
}

function lastEventId({ headers }: FastifyRequest): number | null {
  const given = headers['last-event-id']
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : null
}
