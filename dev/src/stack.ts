import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, isFree } from './ports.ts'
import { boot } from './stack/boot.ts'
import { choosePorts, openDataDir } from './stack/data-dir.ts'
import type { Stack, StackOptions } from './stack/options.ts'
import { StartError } from './start-error.ts'

export type { Stack, StackOptions } from './stack/options.ts'

/** Starts everything that a running marketplace needs and resolves once it answers; a failure leaves nothing behind. */
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
    throw error
  }
}

// Another program on [::1] would answer browsers that try localhost there first.
async function publicPort({ port, host }: StackOptions): Promise<number> {
  if (port === 0) return freePort()
  const areFree = await Promise.all([isFree(port, host), isFree(port, '::1')])
  if (areFree.every(Boolean)) return port
  throw new StartError(`Port ${port} is taken or not allowed: set PORT to another, as in PORT=${port + 1} npm start.`)
}
