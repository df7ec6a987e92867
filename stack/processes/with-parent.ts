// Preloaded into every process of the embedded stack (`node --import`), so that product code does not depend on the
// launcher: reports the port it listens on, and ends with the launcher.
import { tracingChannel } from 'node:diagnostics_channel'

const shutdownTimeoutMs = 3_000

process.channel?.unref()
process.once('disconnect', () => {
  // A stop by the launcher disconnects too, after its SIGTERM. A second SIGTERM has no effect.
  setTimeout(() => process.exit(1), shutdownTimeoutMs).unref()
  process.kill(process.pid, 'SIGTERM')
})

tracingChannel<'net.server.listen', { server?: { address(): unknown } }>('net.server.listen').asyncEnd.subscribe(
  (message) => {
    if (process.connected) process.send?.({ listening: portOf(message) }, undefined, undefined, ignoreFailure)
  },
)

// The launcher may exit between the check and the send; 'disconnect' follows.
function ignoreFailure(): void {}

function portOf(message: unknown): number | undefined {
  if (typeof message !== 'object' || message === null || !('server' in message)) return undefined
  const { server } = message
  if (typeof server !== 'object' || server === null || !('address' in server) || typeof server.address !== 'function')
    return undefined
  return server.address()?.port
}
