import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

// Below the range from which systems number outgoing connections, which would take a port while its service restarts.
const LOWEST = 20_000
const HIGHEST = 32_000
const TRIES = 200

// The ports that this process has chosen, until it ends.
const ours = new Set<number>()

/**
 * The preferred port when it is free on 127.0.0.1, else any free one that is not among `taken`. No other process that asks here
 * is given the same one until this process ends: the server that is to listen there may take a while to.
 */
export async function freePort(preferred?: number, taken: ReadonlySet<number> = new Set()): Promise<number> {
  if (preferred !== undefined && !taken.has(preferred) && (await choose(preferred))) return preferred
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (!taken.has(port) && !ours.has(port) && (await choose(port))) return port
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST}.`)
}

async function choose(port: number): Promise<boolean> {
  if (!(await isFree(port)) || !(ours.has(port) || (await reserve(port)))) return false
  ours.add(port)
  return true
}

// A UDP port of the same number, which nothing else uses, is the sign that a port is somebody's; it goes with its process.
// Where there is no UDP there are no signs.
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sign = createSocket('udp4')
    sign.once('error', (error) => resolve(!('code' in error && error.code === 'EADDRINUSE')))
    sign.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true))
    sign.unref()
  })
}

/** Whether a server can listen there; an address that the machine lacks is not in use. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error && error.code !== 'EADDRINUSE' && host !== '127.0.0.1'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
