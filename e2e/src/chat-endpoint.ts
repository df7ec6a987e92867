import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** down: connections break; silent: no answer comes; late: it breaks off after its head; broken: 500. */
export type ChatEndpointMood = 'well' | 'down' | 'silent' | 'late' | 'broken'

export interface ChatEndpoint {
  /** For OPENAI_BASE_URL. */
  url: string
  mood: ChatEndpointMood
  stop(): Promise<void>
}

const reply = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'As the model says.' } }],
})

/** The part of OpenAI's API that the assistant calls, run by nobody's stack. */
export async function startChatEndpoint(): Promise<ChatEndpoint> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => answer(endpoint.mood, response))
  })
  const endpoint: ChatEndpoint = {
    url: '',
    mood: 'well',
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  endpoint.url = `http://127.0.0.1:${portOf(server.address())}/v1`
  return endpoint
}

function answer(mood: ChatEndpointMood, response: ServerResponse): void {
  if (mood === 'silent') return
  if (mood === 'down') return void response.destroy()
  response.writeHead(mood === 'broken' ? 500 : 200, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(reply)),
  })
  if (mood !== 'late') return void response.end(reply)
  response.write(reply.slice(0, 20))
  setTimeout(() => response.destroy(), 500)
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address ? address.port : 0
}
