import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface LeanClient {
  /** Sends a request as it stands and answers the status once its answer is whole. No more at once than connections. */
  ask(request: string): Promise<number>
  close(): void
}

// Only answers of known length.
const lengthForm = /\r\ncontent-length: (?<bytes>\d+)\r\n/i
const headEnd = '\r\n\r\n'

/** HTTP over kept connections with the least work: where clients share the cores with what is measured, theirs counts too. */
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
    async ask(request) {
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
    let answer = ''
    const end = (settle: () => void) => {
      socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error')
      settle()
    }
    socket.on('data', (piece: string) => {
      answer += piece
      if (isWhole(answer)) end(() => resolve(Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))))
    })
    const fail = () => end(() => reject(new Error(`A connection ended after ${JSON.stringify(answer)}.`)))
    socket.on('close', fail).on('error', fail)
    socket.write(request, 'latin1')
  })
}

function isWhole(answer: string): boolean {
  const bodyAt = answer.indexOf(headEnd)
  if (bodyAt < 0) return false
  const length = lengthForm.exec(answer)?.groups?.['bytes']
  if (length === undefined) throw new Error('An answer does not say how long it is.')
  return answer.length - bodyAt - headEnd.length >= Number(length)
}
