import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerHeadersOf } from '../answers/add-headers.ts'
import type { SecurityHeaders } from '../answers/security-headers.ts'
import { networkOf } from '../limits/network-of.ts'
import { readEventId } from './auction-state.view.ts'
import type { LiveAuctions } from './live-auctions.ts'
import { Watcher } from './watcher.ts'

export const streamTemplate = '/api/auctions/{id}/stream'

const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  'cache-control': 'no-store',
  connection: 'close',
}

// In place of a request's headers once nobody reads them any more: with a session's cookie they are kilobytes, for each of
// thousands as long as they watch.
const read = { headers: {}, rawHeaders: [] }

interface Streaming {
  live: LiveAuctions
  headers: SecurityHeaders
}

/** `GET /api/auctions/{id}/stream`: an auction's states as server-sent events, until it is over. */
export function streamRoutes(app: FastifyInstance, { live, headers }: Streaming): void {
  app.addHook('preClose', async () => live.close())
  app.route({
    method: ['GET', 'HEAD'],
    url: streamTemplate,
    handler: async (request, reply) =>
      request.method === 'HEAD' ? reply.headers(eventHeaders).send() : watch({ live, headers }, request, reply),
  })
}

async function watch(
  { live, headers }: Streaming,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply
  // Whoever has gone meanwhile will not go again, and would stay in the room for good.
  if (raw.destroyed) return reply.hijack()
  const last = readEventId(request.headers['last-event-id'])
  const watcher = new Watcher({ lastNumber: last?.number ?? null, sink: raw })
  const state = await live.watch(watcher, request.target?.parameters[0] ?? '', networkOf(request.ip))
  // It knows already how the auction ended: 204 keeps an EventSource from coming back.
  const knowsAll = !state.isActive && last?.isOver === true && last.number >= state.number
  if (knowsAll) return reply.code(204).send()
  raw.writeHead(200, { ...answerHeadersOf(request, headers), ...eventHeaders })
  // By themselves, for memory: written with the first event, their text would stay in pieces for as long as the stream.
  raw.flushHeaders()
  watcher.open()
  Object.assign(request.raw, read)
  // A watcher finds out by itself who takes nothing any more; the connection's own timer would be set again by each event.
  raw.socket?.setTimeout(0)
  return reply.hijack()
}
