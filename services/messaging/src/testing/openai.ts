import fastify from 'fastify'

interface ProviderRequest {
  authorization: string | undefined
  model: string
  messages: { role: string; content: string }[]
  max_completion_tokens: number
}

export interface TestOpenAi {
  baseUrl: string
  requests: ProviderRequest[]
  /** What it answers: a reply as the provider words it, or whatever a test sends. */
  play: (request: ProviderRequest) => Promise<{ status?: number; body: string }>
  stop(): Promise<void>
}

/** The part of OpenAI's API that we use, at the network's edge. */
export async function startOpenAi(): Promise<TestOpenAi> {
  const server = fastify({ forceCloseConnections: true })
  const provider: TestOpenAi = {
    baseUrl: '',
    requests: [],
    play: async () => ({ body: completion('Sure.') }),
    stop: () => server.close(),
  }
  server.post<{ Body: ProviderRequest }>('/v1/chat/completions', async ({ body, headers }, reply) => {
    const request = { ...body, authorization: headers.authorization }
    provider.requests.push(request)
    const answer = await provider.play(request)
    return reply
      .code(answer.status ?? 200)
      .type('application/json')
      .send(answer.body)
  })
  provider.baseUrl = `${await server.listen({ host: '127.0.0.1', port: 0 })}/v1`
  return provider
}

export function completion(content: unknown): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'a-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  })
}
