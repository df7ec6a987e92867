import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, isFree } from '../servers/ports.ts'
import { boot } from './boot.ts'
import { choosePorts, explainFileError, openDataDir } from './data-dir.ts'
import type { Stack, StackOptions } from './options.ts'
import { StartError } from './start-error.ts'

export type { Stack, StackOptions } from './options.ts'

/** Starts every process of a marketplace and resolves when all are ready. A failure leaves nothing running. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const port = await publicPort(options)
  const dataDir = openDataDir(options.dataDir)
  const stops: (() => Promise<void>)[] = [async () => dataDir.release()]
  const stop = async () => {
    for (const stopPart of stops.splice(0).toReversed()) await stopPart()
  }
  try {
    const logDir = join(dataDir.path, 'logs')
    mkdirSync(logDir, { recursive: true })
    const ports = await choosePorts(dataDir.path, port)
    const origin = options.publicOrigin ?? `http://localhost:${port}`
    return { ...(await boot({ options, dataDir, ports, origin, logDir, stops })), stop }
  } catch (error) {
    await stop()
    throw explainFileError(error, dataDir.path)
  }
}

// Browsers try localhost as [::1] first, so another program there would receive their requests.
async function publicPort({ port, host }: StackOptions): Promise<number> {
  if (port === 0) return freePort()
  const areFree = await Promise.all([isFree(port, host), isFree(port, '::1')])
  if (areFree.every(Boolean)) return port
  throw new StartError(
    `Port ${port} is in use or not permitted: set PORT to another, as in PORT=${port + 1} npm start.`,
  )
}
