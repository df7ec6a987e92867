import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range from which systems number outgoing connections, which would take a port while its service restarts.
const LOWEST = 20_000
const HIGHEST = 32_000
const TRIES = 200

/** The preferred port when it is free on 127.0.0.1, else any free one that is not among `taken`. */
export async function freePort(preferred?: number, taken: ReadonlySet<number> = new Set()): Promise<number> {
  if (preferred !== undefined && !taken.has(preferred) && (await isFree(preferred))) return preferred
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (!taken.has(port) && (await isFree(port))) return port
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST}.`)
}

/** Whether a server can listen there; an address that the machine lacks is not in use. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error && error.code !== 'EADDRINUSE' && host !== '127.0.0.1'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
