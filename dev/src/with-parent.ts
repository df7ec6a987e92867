// Preloaded into every process of the embedded stack (`node --import`), so that product code knows nothing of it:
// tells the launcher what it listens on, and ends with the launcher.
import { tracingChannel } from 'node:diagnostics_channel'

const DRAIN_MS = 3_000

process.channel?.unref()
process.once('disconnect', () => {
  // Our own stop disconnects too, after SIGTERM was sent; a second one would change nothing.
  setTimeout(() => process.exit(1), DRAIN_MS).unref()
  process.kill(process.pid, 'SIGTERM')
})

tracingChannel<'net.server.listen', { server?: { address(): unknown } }>('net.server.listen').asyncEnd.subscribe(
  (message) => {
    if (process.connected) process.send?.({ listening: portOf(message) }, undefined, undefined, ignoreFailure)
  },
)

// The launcher may die between the look and the send; 'disconnect' follows.
function ignoreFailure(): void {}

function portOf(message: unknown): number | undefined {
  if (typeof message !== 'object' || message === null || !('server' in message)) return undefined
  const { server } = message
  if (typeof server !== 'object' || server === null || !('address' in server) || typeof server.address !== 'function')
    return undefined
  return server.address()?.port
}
