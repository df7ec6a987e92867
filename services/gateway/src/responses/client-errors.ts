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

/**
 * Response to a request that cannot be parsed or whose length is ambiguous. The connection is closed after the
 * response.
 */
export const malformed = { status: '400 Bad Request', error: 'The request could not be read.', code: 'malformed' }

const unexpected = { status: '417 Expectation Failed', error: 'Only 100-continue can be expected.', code: 'unexpected' }

/**
 * Creates handlers that send error responses for requests that Node's HTTP parser rejects. The connection is closed
 * after the response.
 */
export function handleClientErrors(headers: Headers) {
  const responsesOf = new WeakMap<Socket, readonly ServerResponse[]>()

  const pendingOn = (socket: Socket) => responsesOf.get(socket)?.filter(({ closed }) => !closed) ?? []
  // Adds a response to its connection's list and removes closed responses, which saves the memory of `close` listeners.
  const track = ({ socket }: IncomingMessage, response: ServerResponse) => {
    responsesOf.set(socket, [...pendingOn(socket), response])
  }
  const reject = (socket: Socket, problem: typeof malformed) => {
    // A client matches responses to requests by their order on the connection. If an earlier request is still pending,
    // the client would take the error for the response to that request, so the connection is closed without a response.
    if (!socket.writable || !isNextToRespond(pendingOn(socket))) return socket.destroy()
    return socket.end(formatResponse(problem, headers), () => socket.destroy())
  }
  return {
    clientErrorHandler: (error: Error, socket: Socket) => {
      const code = 'code' in error ? String(error.code) : ''
      reject(socket, problems[code] ?? malformed)
    },
    attach(server: Server) {
      server.on('request', track)
      // `checkExpectation` and `connect` are handled here, because Node's own 417 response lacks the security headers,
      // and Node does not respond to CONNECT.
      server.on('checkExpectation', ({ socket }: IncomingMessage) => reject(socket, unexpected))
      server.on('connect', ({ socket }: IncomingMessage) => reject(socket, malformed))
    },
  }
}

// Returns whether the next response on the connection is the one to the rejected request: either nothing is pending, or
// only the response to the rejected request itself, whose body is incomplete.
function isNextToRespond(due: readonly ServerResponse[]): boolean {
  return due.length === 0 || (due.length === 1 && due.every(({ req, headersSent }) => !req.complete && !headersSent))
}

function formatResponse({ status, error, code }: typeof malformed, headers: Headers): string {
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
