import { readConfig, type Config } from './config.ts'
import { createProvider } from './provider.ts'
import { createIdentityServer } from './server.ts'

function start(config: Config): void {
  const server = createIdentityServer(createProvider(config), config.PUBLIC_ORIGIN)
  server.once('error', fail)
  server.listen({ host: config.HOST, port: config.PORT })
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

try {
  start(readConfig())
} catch (error) {
  fail(error)
}
