import type { IncomingHttpHeaders } from 'node:http'
import fastify, { type FastifyReply } from 'fastify'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface FakeUpstream {
  url: string
  /** What reached it, in order. */
  seen: SeenRequest[]
  /** How it answers; replace it at will. */
  answer: (request: SeenRequest, reply: FastifyReply) => unknown
  stop(): Promise<void>
}

/** A service behind the gateway: a real server that remembers what it was asked. */
export async function startFakeUpstream(name: string): Promise<FakeUpstream> {
  const server = fastify({ forceCloseConnections: true })
  const upstream: FakeUpstream = {
    url: '',
    seen: [],
    answer: async () => ({ service: name }),
    stop: () => server.close(),
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  server.all('/*', (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
    const seen = { method: request.method, url: request.raw.url ?? '', headers: request.headers, body }
    upstream.seen.push(seen)
    return upstream.answer(seen, reply)
  })
  upstream.url = await server.listen({ host: '127.0.0.1', port: 0 })
  return upstream
}
