import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { responseHeadersOf } from '../responses/response-headers.ts'
import type { SecurityHeaders } from '../responses/security-headers.ts'
import { networkOf } from '../limits/network-of.ts'
import { userIdOf } from '../session/resolve-session.ts'
import { readEventId } from './auction-state.view.ts'
import type { LiveAuctions } from './live-auctions.ts'
import { Subscriber } from './subscriber.ts'

export const streamTemplate = '/api/auctions/{id}/stream'

const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  'cache-control': 'no-store',
  connection: 'close',
}

// Replaces a request's headers after its stream has opened, because the session cookies would use several kilobytes of
// memory per open stream.
const releasedHeaders = { headers: {}, rawHeaders: [] }

interface StreamContext {
  live: LiveAuctions
  headers: SecurityHeaders
}

/** Serves `GET /api/auctions/{id}/stream`: the states of an auction as server-sent events, until the auction ends. */
export function streamRoutes(app: FastifyInstance, { live, headers }: StreamContext): void {
  app.addHook('preClose', async () => live.close())
  app.route({
    method: ['GET', 'HEAD'],
    url: streamTemplate,
    handler: async (request, reply) =>
      request.method === 'HEAD' ? reply.headers(eventHeaders).send() : openStream({ live, headers }, request, reply),
  })
}

async function openStream(
  { live, headers }: StreamContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply
  // If the client has already disconnected, no `close` event will follow, so a subscriber would never be removed.
  if (raw.destroyed) return reply.hijack()
  const last = readEventId(request.headers['last-event-id'])
  const subscriber = new Subscriber({ lastNumber: last?.number ?? null, sink: raw })
  const client = { network: networkOf(request.ip), userId: userIdOf(request.session) }
  const state = await live.subscribe(subscriber, request.target?.parameters[0] ?? '', client)
  // If the client already has the final state, a 204 response stops EventSource from reconnecting.
  const hasFinalState = !state.isActive && last?.hasEnded === true && last.number >= state.number
  if (hasFinalState) return reply.code(204).send()
  raw.writeHead(200, { ...responseHeadersOf(request, headers), ...eventHeaders })
  // Flushed separately to save memory: a string with both the headers and the first event would stay in memory until
  // the stream closes.
  raw.flushHeaders()
  subscriber.open()
  Object.assign(request.raw, releasedHeaders)
  // The socket's timeout is disabled, because `Subscriber` disconnects stalled clients.
  raw.socket?.setTimeout(0)
  return reply.hijack()
}
