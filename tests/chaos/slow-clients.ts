import { connect, type Socket } from 'node:net'
import type { ChaosStack } from './chaos-stack.ts'
import type { Fault } from './fault.ts'
import { pause } from './random.ts'

const count = 5000
const batchSize = 250

function open(port: number): Promise<Socket> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(socket))
    socket.on('error', () => done(socket))
  })
}

/** Opens connections that send a request byte by byte and never complete it. */
async function openSlowConnections({ url }: ChaosStack): Promise<void> {
  const port = Number(new URL(url).port)
  const sockets: Socket[] = []
  try {
    while (sockets.length < count)
      sockets.push(...(await Promise.all(Array.from({ length: batchSize }, () => open(port)))))
    for (const byte of 'GET /api/categories HT') {
      sockets.filter(({ destroyed }) => !destroyed).forEach((socket) => socket.write(byte))
      await pause(1000)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

export const slowClientFaults: readonly Fault[] = [
  { title: `${count} slow connections`, inject: openSlowConnections, mayFail: /payments|buy-now/ },
]
