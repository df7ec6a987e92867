import { connect, type Socket } from 'node:net'
import type { ChaosStack } from './chaos-stack.ts'
import type { Fault } from './fault.ts'
import { pause } from './random.ts'

const count = 5000
const atOnce = 250

function open(port: number): Promise<Socket> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(socket))
    socket.on('error', () => done(socket))
  })
}

/** Clients that send their request by single bytes and never finish it. */
async function crowdIn({ url }: ChaosStack): Promise<void> {
  const port = Number(new URL(url).port)
  const sockets: Socket[] = []
  try {
    while (sockets.length < count)
      sockets.push(...(await Promise.all(Array.from({ length: atOnce }, () => open(port)))))
    for (const byte of 'GET /api/categories HT') {
      sockets.filter(({ destroyed }) => !destroyed).forEach((socket) => socket.write(byte))
      await pause(1000)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

export const crowdFaults: readonly Fault[] = [
  { title: `${count} slow connections`, strike: crowdIn, mayFail: /payments|buy-now/ },
]
