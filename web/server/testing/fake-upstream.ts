import fastify, { type FastifyReply } from 'fastify'

export interface FakeUpstream {
  url: string
  /** URLs of the received requests, in order. */
  requests: string[]
  /** Returns the response; tests replace it. */
  respond: (url: string, reply: FastifyReply) => unknown
  stop(): Promise<void>
}

/** Starts a real HTTP server in place of a service; it records its requests. */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const server = fastify({ forceCloseConnections: true })
  const upstream: FakeUpstream = { url: '', requests: [], respond: () => [], stop: () => server.close() }
  server.get('/*', async (request, reply) => {
    upstream.requests.push(request.url)
    return upstream.respond(request.url, reply)
  })
  upstream.url = await server.listen({ host: '127.0.0.1', port: 0 })
  return upstream
}
