import { closeGently } from '@marketplace/kit/http.ts'
import { buildInternalApp } from '@marketplace/kit/internal.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { runProcess, type Runnable } from '@marketplace/kit/process.ts'
import { startTracing } from '@marketplace/kit/tracing.ts'
import { buildWebApp } from './app.ts'
import { readConfig } from './config.ts'

const dist = new URL('../dist', import.meta.url).pathname

async function openWeb(): Promise<Runnable> {
  const settings = readConfig()
  const { HOST: host, REUSE_PORT: reusePort } = settings
  const log = openLog('web', settings.LOG_LEVEL)
  const app = await buildWebApp(dist, settings, log)
  // Without dependencies it is ready as soon as it listens.
  const internal = buildInternalApp(log, async () => null)
  return {
    log,
    drainMs: settings.DRAIN_MS,
    async start() {
      await startTracing('web', settings)
      await internal.app.listen({ host, port: settings.INTERNAL_PORT, reusePort })
      await app.listen({ host, port: settings.PORT, reusePort })
      log.info({ port: settings.PORT }, 'ready')
    },
    async stop() {
      internal.drain()
      await closeGently(app, settings.LINGER_MS)
      await internal.app.close()
    },
  }
}

await runProcess(openWeb)
