import type { IncomingHttpHeaders } from 'node:http'
import fastify, { type FastifyReply } from 'fastify'

export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface FakeUpstream {
  url: string
  /** Requests received, in order. */
  received: ReceivedRequest[]
  /** Handler of all requests; tests may replace it. */
  respond: (request: ReceivedRequest, reply: FastifyReply) => unknown
  stop(): Promise<void>
}

/** Starts a real HTTP server that records its requests, as a service behind the gateway. */
export async function startFakeUpstream(name: string): Promise<FakeUpstream> {
  const server = fastify({ forceCloseConnections: true })
  const upstream: FakeUpstream = {
    url: '',
    received: [],
    respond: async () => ({ service: name }),
    stop: () => server.close(),
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  server.all('/*', (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
    const received = { method: request.method, url: request.raw.url ?? '', headers: request.headers, body }
    upstream.received.push(received)
    return upstream.respond(received, reply)
  })
  upstream.url = await server.listen({ host: '127.0.0.1', port: 0 })
  return upstream
}
