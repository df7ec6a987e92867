import { createServer as createHttps } from 'node:https'
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'

export interface Forward {
  port: number
  close(): Promise<void>
}

/** Forwards each connection as a new one, so that a Service spreads them over its pods. */
export async function forward(host: string, port: number, ownPort = 0): Promise<Forward> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const peer = connect({ host, port, allowHalfOpen: true })
    socket.pipe(peer).pipe(socket)
    socket.on('error', () => peer.destroy())
    peer.on('error', () => socket.destroy())
  })
  return listening(server, '127.0.0.1', ownPort)
}

/** Serves HTTPS in front of a plain server on loopback, with the usual X-Forwarded headers. */
export async function serveHttps(options: {
  host: string
  port: number
  to: number
  cert: Buffer
  key: Buffer
}): Promise<Forward> {
  const { cert, key, to } = options
  const server = createHttps({ cert, key }, (incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': incoming.headers.host }
    const { method, url: path } = incoming
    const forwarded = request({ host: '127.0.0.1', port: to, method, path, headers }, (upstream) => {
      outgoing.writeHead(upstream.statusCode ?? 502, upstream.headers)
      upstream.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  return listening(server, options.host, options.port)
}

async function listening(server: Server, host: string, port: number): Promise<Forward> {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done))
  const address: AddressInfo | string | null = server.address()
  const close = () => new Promise<void>((done) => server.close(() => done()))
  return { port: typeof address === 'object' && address ? address.port : port, close }
}
