import {
  completeChat,
  rejectChat,
  retrieveModel,
  type ChatRequest,
  type FakeResponse,
} from '@marketplace/testing/fake-openai.ts'
import fastify from 'fastify'

/** A request as this service sends it: the content of each message is a string. */
interface ProviderRequest extends ChatRequest {
  authorization: string | undefined
  messages: { role: 'system' | 'user'; content: string }[]
}

interface ProviderResponse {
  status?: number
  body: object | string
}

export interface FakeOpenAi {
  baseUrl: string
  /** Accepted completion requests. */
  requests: ProviderRequest[]
  /** Rejected completion requests. */
  rejected: ChatRequest[]
  /** Returns the response to an accepted request; tests replace it. */
  respond: (request: ProviderRequest) => Promise<ProviderResponse>
  /** Returns the response to `GET /v1/models/{id}`. */
  respondToModel: (id: string) => Promise<ProviderResponse>
  stop(): Promise<void>
}

/** Starts a server with the part of OpenAI's API that this service uses. */
export async function startFakeOpenAi(): Promise<FakeOpenAi> {
  const server = fastify({ forceCloseConnections: true })
  const provider: FakeOpenAi = {
    baseUrl: '',
    requests: [],
    rejected: [],
    respond: async (request) => completeChat(request, 'Sure.'),
    respondToModel: async (id) => retrieveModel(id),
    stop: () => server.close(),
  }
  server.post<{ Body: ProviderRequest }>('/v1/chat/completions', async ({ body, headers }, reply) => {
    const { status = 200, body: sent } = await chat(provider, body, headers.authorization)
    return reply.code(status).type('application/json').send(sent)
  })
  server.get<{ Params: { id: string } }>('/v1/models/:id', async ({ params }, reply) => {
    const { status = 200, body } = await provider.respondToModel(params.id)
    return reply.code(status).type('application/json').send(body)
  })
  provider.baseUrl = `${await server.listen({ host: '127.0.0.1', port: 0 })}/v1`
  return provider
}

async function chat(
  provider: FakeOpenAi,
  body: ProviderRequest,
  authorization: string | undefined,
): Promise<ProviderResponse | FakeResponse> {
  const rejection = rejectChat(body)
  if (rejection) {
    provider.rejected.push(body)
    return rejection
  }
  const request = { ...body, authorization }
  provider.requests.push(request)
  return provider.respond(request)
}
