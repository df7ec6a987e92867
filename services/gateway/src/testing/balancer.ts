import { connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  url: string
  stop(): Promise<void>
}

/** Starts one address for several servers, as a Service of Kubernetes is: each new connection goes to the next server. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const open = new Set<Socket>()
  let accepted = 0
  const server = createServer((socket) => {
    const { hostname, port } = new URL(urls[accepted++ % urls.length] ?? '')
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      open.add(from)
      from.on('error', () => undefined).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
