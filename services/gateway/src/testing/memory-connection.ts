import type { Server } from 'node:http'
import { duplexPair, type Duplex } from 'node:stream'

/**
 * Connects a client to an HTTP server without sockets. A test can thus hold more connections than the process may have
 * open files.
 */
export function connectInMemory(server: Server, remoteAddress: string): Duplex {
  const [client, connection] = duplexPair()
  server.emit('connection', Object.assign(connection, { remoteAddress, setTimeout: () => connection }))
  client.on('close', () => connection.destroy())
  return client
}
