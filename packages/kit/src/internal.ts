import { buildApp } from './http.ts'
import type { Log } from './log.ts'
import { registry, scrape } from './metrics.ts'

/** What a process's own dependencies say; the sentence names what is missing, null when all is well. */
export type ReadinessCheck = () => Promise<string | null>

/** The internal port: health and metrics here, RPC and OpenAPI by the service. */
export function buildInternalApp(log: Log, readiness: ReadinessCheck) {
  // Probes and scrapes every few seconds are no news.
  const app = buildApp(log.child({}, { level: 'warn' }), { bodyLimit: 4 * 1024 * 1024 })
  let isDraining = false
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const missing = isDraining ? 'draining' : await readiness()
    return reply.code(missing === null ? 200 : 503).send({ status: missing ?? 'ok' })
  })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await scrape()))
  return { app, drain: () => void (isDraining = true) }
}
