import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface LeanClient {
  /**
   * Sends a raw request and returns the status once the response is complete. At most one request per connection at a
   * time.
   */
  send(request: string): Promise<number>
  close(): void
}

// Supports only responses with a content-length.
const lengthForm = /\r\ncontent-length: (?<bytes>\d+)\r\n/i
const headEnd = '\r\n\r\n'

/** A minimal HTTP client with keep-alive connections: it shares the cores with the measured processes. */
export async function openLeanClient(url: string, connections: number): Promise<LeanClient> {
  const { hostname, port } = new URL(url)
  const open = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    return socket.setEncoding('latin1')
  }
  const sockets = await Promise.all(Array.from({ length: connections }, open))
  const free = [...sockets]
  return {
    async send(request) {
      const socket = free.pop()
      if (!socket) throw new Error('Every connection is in use.')
      const status = await exchange(socket, request)
      free.push(socket)
      return status
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function exchange(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let response = ''
    const end = (settle: () => void) => {
      socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error')
      settle()
    }
    socket.on('data', (piece: string) => {
      response += piece
      if (isWhole(response)) end(() => resolve(Number(response.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))))
    })
    const fail = () => end(() => reject(new Error(`A connection closed after ${JSON.stringify(response)}.`)))
    socket.on('close', fail).on('error', fail)
    socket.write(request, 'latin1')
  })
}

function isWhole(response: string): boolean {
  const bodyAt = response.indexOf(headEnd)
  if (bodyAt < 0) return false
  const length = lengthForm.exec(response)?.groups?.['bytes']
  if (length === undefined) throw new Error('A response has no content-length.')
  return response.length - bodyAt - headEnd.length >= Number(length)
}
