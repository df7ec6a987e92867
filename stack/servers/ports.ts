import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

// Below the ephemeral port range, from which outgoing connections could take a port while its service restarts.
const lowestPort = 20_000
const highestPort = 32_000
const maxAttempts = 200

// The ports reserved by this process.
const reservedPorts = new Set<number>()

/**
 * Returns the preferred port when it is free on 127.0.0.1, otherwise any free one that is not in `excluded`. The port is
 * reserved across processes until this process ends, since its server may start later.
 */
export async function freePort(preferred?: number, excluded: ReadonlySet<number> = new Set()): Promise<number> {
  if (preferred !== undefined && !excluded.has(preferred) && (await tryReserve(preferred))) return preferred
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const port = randomInt(lowestPort, highestPort)
    if (!excluded.has(port) && !reservedPorts.has(port) && (await tryReserve(port))) return port
  }
  throw new Error(`No free port between ${lowestPort} and ${highestPort}.`)
}

async function tryReserve(port: number): Promise<boolean> {
  if (!(await isFree(port)) || !(reservedPorts.has(port) || (await reserve(port)))) return false
  reservedPorts.add(port)
  return true
}

// Reserves a port by binding the UDP port of the same number, which nothing else uses and which is released with the
// process. Without UDP nothing is reserved.
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sign = createSocket('udp4')
    sign.once('error', (error) => resolve(!('code' in error && error.code === 'EADDRINUSE')))
    sign.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true))
    sign.unref()
  })
}

/** Returns whether a server can listen there. An address that the machine lacks counts as free. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error && error.code !== 'EADDRINUSE' && host !== '127.0.0.1'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
