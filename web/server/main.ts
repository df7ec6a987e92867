import { join } from 'node:path'
import { closeGracefully } from '@marketplace/kit/http/http.ts'
import { buildInternalApp } from '@marketplace/kit/app/internal.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { runProcess, type Runnable } from '@marketplace/kit/app/process.ts'
import { startTracing } from '@marketplace/kit/telemetry/tracing.ts'
import { buildWebApp } from './app.ts'
import { readConfig } from './config.ts'

const dist = join(import.meta.dirname, '../dist')

async function openWeb(): Promise<Runnable> {
  const settings = readConfig()
  const { HOST: host, REUSE_PORT: reusePort } = settings
  const log = openLog('web', settings.LOG_LEVEL)
  const app = await buildWebApp(dist, settings, log)
  // The readiness check always succeeds, because the web server needs no other service to serve pages.
  const internal = buildInternalApp(log, async () => null)
  return {
    log,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    async start() {
      await startTracing('web', settings)
      await internal.app.listen({ host, port: settings.INTERNAL_PORT, reusePort })
      await app.listen({ host, port: settings.PORT, reusePort })
      log.info({ port: settings.PORT }, 'ready')
    },
    async stop() {
      internal.drain()
      await closeGracefully(app, settings.SHUTDOWN_DELAY_MS)
      await internal.app.close()
    },
  }
}

await runProcess(openWeb)
