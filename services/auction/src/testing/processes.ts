import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@marketplace/dev/ports.ts'
import type { AuctionSettings } from '../config.ts'
import type { Door } from './post-bid.ts'

/** The service as it is deployed: an operating system's process of its own, with closers, relay and consumers. */
export interface ServiceProcess extends Door {
  internalUrl: string
  /** Resolves once it is gone; SIGTERM lets it drain. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const main = join(import.meta.dirname, '../main.ts')
const startMs = 60_000

export async function startProcess(settings: AuctionSettings): Promise<ServiceProcess> {
  const [port, internalPort] = [await freePort(), await freePort()]
  const given = Object.entries({ ...settings, PORT: port, INTERNAL_PORT: internalPort })
  const env = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const complaints: string[] = []
  child.stderr.on('data', (text) => complaints.push(String(text)))
  const gone = once(child, 'exit')
  const publicUrl = `http://127.0.0.1:${port}`
  const end = performance.now() + startMs
  while (!(await answers(publicUrl))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`Did not start: ${complaints.join('')}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    publicUrl,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    async end(signal) {
      child.kill(signal)
      await gone
    },
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}
