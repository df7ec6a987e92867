import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Headers } from './security-headers.ts'

const problems: Record<string, { status: string; error: string; code: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The headers are too large.',
    code: 'too_large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    error: 'The request is too large.',
    code: 'too_large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', error: 'The request took too long.', code: 'timeout' },
}

/** Of what cannot be told where it ends; the connection ends with it. */
export const malformed = { status: '400 Bad Request', error: 'The request could not be read.', code: 'malformed' }

const unexpected = { status: '417 Expectation Failed', error: 'Only 100-continue can be expected.', code: 'unexpected' }

/** Answers what Node's parser refuses, before there is a request, in our own form; the connection ends with it. */
export function answerClientErrors(headers: Headers) {
  const answersOf = new WeakMap<Socket, readonly ServerResponse[]>()

  const dueOn = (socket: Socket) => answersOf.get(socket)?.filter(({ closed }) => !closed) ?? []
  // Looked through when asked: a listener for each answer would stay for as long as a stream lasts.
  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
    answersOf.set(socket, [...dueOn(socket), response])
  }
  const refuse = (socket: Socket, problem: typeof malformed) => {
    // An answer written while an earlier one is due would be taken for that one.
    if (!socket.writable || !isNextToAnswer(dueOn(socket))) return socket.destroy()
    return socket.end(writeAnswer(problem, headers), () => socket.destroy())
  }
  return {
    clientErrorHandler: (error: Error, socket: Socket) => {
      const code = 'code' in error ? String(error.code) : ''
      refuse(socket, problems[code] ?? malformed)
    },
    attach(server: Server) {
      server.on('request', follow)
      // Node's own answer to an Expect that is not 100-continue has none of our headers; to a CONNECT there is none at all.
      server.on('checkExpectation', ({ socket }: IncomingMessage) => refuse(socket, unexpected))
      server.on('connect', ({ socket }: IncomingMessage) => refuse(socket, malformed))
    },
  }
}

// Nothing is due, or only the request whose body turned out to be malformed.
function isNextToAnswer(due: readonly ServerResponse[]): boolean {
  return due.length === 0 || (due.length === 1 && due.every(({ req, headersSent }) => !req.complete && !headersSent))
}

function writeAnswer({ status, error, code }: typeof malformed, headers: Headers): string {
  const body = JSON.stringify({ error, code })
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`
}
