import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

export interface ConnectionListener {
  port: number
  /** Returns how many connections were opened so far. */
  count(): number
  /** Opens a connection and waits until it is counted. */
  connect(): Promise<void>
  stop(): void
}

/** Listens on a port of this machine, counts the connections and closes them without a response. */
export async function listenForConnections(): Promise<ConnectionListener> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = portOf(server.address())
  return {
    port,
    count: () => connections,
    async connect() {
      await once(connect(port, '127.0.0.1'), 'close')
    },
    stop: () => void server.close(),
  }
}

function portOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address
}
