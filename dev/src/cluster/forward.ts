import { createServer as createHttps } from 'node:https'
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'

export interface Forward {
  port: number
  close(): Promise<void>
}

/** Passes connections on, each anew, so that a Service spreads them over its pods. */
export async function forward(host: string, port: number, ownPort = 0): Promise<Forward> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const peer = connect({ host, port, allowHalfOpen: true })
    socket.pipe(peer).pipe(socket)
    socket.on('error', () => peer.destroy())
    peer.on('error', () => socket.destroy())
  })
  return listening(server, '127.0.0.1', ownPort)
}

/** Speaks https for a plain server on loopback, and says so in the usual headers. */
export async function speakHttps(options: {
  host: string
  port: number
  to: number
  cert: Buffer
  key: Buffer
}): Promise<Forward> {
  const { cert, key, to } = options
  const server = createHttps({ cert, key }, (asked, answer) => {
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': asked.headers.host }
    const { method, url: path } = asked
    const passed = request({ host: '127.0.0.1', port: to, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  return listening(server, options.host, options.port)
}

async function listening(server: Server, host: string, port: number): Promise<Forward> {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done))
  const address: AddressInfo | string | null = server.address()
  const close = () => new Promise<void>((done) => server.close(() => done()))
  return { port: typeof address === 'object' && address ? address.port : port, close }
}
