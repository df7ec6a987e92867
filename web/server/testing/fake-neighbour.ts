import fastify, { type FastifyReply } from 'fastify'

export interface FakeNeighbour {
  url: string
  /** The addresses it was asked for, in order. */
  asked: string[]
  /** How it answers; replace it at will. */
  answer: (url: string, reply: FastifyReply) => unknown
  stop(): Promise<void>
}

/** A service beside web: a real server that remembers what it was asked. */
export async function startFakeNeighbour(): Promise<FakeNeighbour> {
  const server = fastify({ forceCloseConnections: true })
  const neighbour: FakeNeighbour = { url: '', asked: [], answer: () => [], stop: () => server.close() }
  server.get('/*', async (request, reply) => {
    neighbour.asked.push(request.url)
    return neighbour.answer(request.url, reply)
  })
  neighbour.url = await server.listen({ host: '127.0.0.1', port: 0 })
  return neighbour
}
