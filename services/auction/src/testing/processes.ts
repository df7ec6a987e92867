import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import type { AuctionSettings } from '../config.ts'
import type { BidEndpoint } from './post-bid.ts'

/** The service in an operating system process of its own, as deployed: with closing sweeps, relay and consumers. */
export interface ServiceProcess extends BidEndpoint {
  internalUrl: string
  /** Resolves once the process has exited. SIGTERM shuts it down gracefully. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const main = join(import.meta.dirname, '../main.ts')
const startTimeoutMs = 60_000

export async function startProcess(settings: AuctionSettings): Promise<ServiceProcess> {
  const [port, internalPort] = [await freePort(), await freePort()]
  const variables = Object.entries({ ...settings, PORT: port, INTERNAL_PORT: internalPort })
  const env = Object.fromEntries(
    variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const errors: string[] = []
  child.stderr.on('data', (text) => errors.push(String(text)))
  const exited = once(child, 'exit')
  const publicUrl = `http://127.0.0.1:${port}`
  const deadline = performance.now() + startTimeoutMs
  while (!(await isReachable(publicUrl))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`The process did not start: ${errors.join('')}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    publicUrl,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    async stop(signal) {
      child.kill(signal)
      await exited
    },
  }
}

async function isReachable(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}
