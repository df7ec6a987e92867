import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  completeChat,
  rejectChat,
  retrieveModel,
  type ChatRequest,
  type FakeResponse,
} from '@marketplace/testing/fake-openai.ts'

/** `down`: connections break. `silent`: no response. `late`: the response breaks off after its head. `broken`: 500. */
export type ChatEndpointMode = 'normal' | 'down' | 'silent' | 'late' | 'broken'

export interface ChatEndpoint {
  /** For OPENAI_BASE_URL. */
  url: string
  mode: ChatEndpointMode
  stop(): Promise<void>
}

/** Runs the part of OpenAI's API that the assistant calls. */
export async function startChatEndpoint(): Promise<ChatEndpoint> {
  const server = createServer((request, response) => {
    respond(request).then(
      (result) => send(endpoint.mode, response, result),
      () => response.destroy(),
    )
  })
  const endpoint: ChatEndpoint = {
    url: '',
    mode: 'normal',
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

async function respond(request: IncomingMessage): Promise<FakeResponse> {
  if (request.method === 'GET') return retrieveModel(request.url?.split('/').at(-1) ?? '')
  const chat: ChatRequest = JSON.parse(await text(request))
  return rejectChat(chat) ?? completeChat(chat, 'As the model says.')
}

function send(mode: ChatEndpointMode, response: ServerResponse, { status, body }: FakeResponse): void {
  if (mode === 'silent') return
  if (mode === 'down') return void response.destroy()
  const json = JSON.stringify(body)
  response.writeHead(mode === 'broken' ? 500 : status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
  })
  if (mode !== 'late') return void response.end(json)
  response.write(json.slice(0, 20))
  setTimeout(() => response.destroy(), 500)
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address ? address.port : 0
}
