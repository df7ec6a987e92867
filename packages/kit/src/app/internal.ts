import { buildApp, drainConnections } from '../http/http.ts'
import type { Log } from '../telemetry/log.ts'
import { registry, scrape } from '../telemetry/metrics.ts'

/**
 * Checks the dependencies of a process. Returns null if the process is ready, otherwise a sentence that names the missing
 * dependency.
 */
export type ReadinessCheck = () => Promise<string | null>

/**
 * Returns one sentence for each problem with the background work, such as an unreachable event bus. The process stays
 * ready, because it can still serve requests.
 */
export type DegradationCheck = () => readonly string[]

/**
 * Builds the app for the internal port, with routes for health checks and metrics. The service adds its RPCs and its
 * OpenAPI document.
 */
export function buildInternalApp(log: Log, readiness: ReadinessCheck, degradations: DegradationCheck = () => []) {
  // Logs only warnings and errors, because probes and metric scrapes send a request every few seconds.
  const app = buildApp(log.child({}, { level: 'warn' }), { bodyLimit: 4 * 1024 * 1024 })
  let isDraining = false
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const missing = isDraining ? 'draining' : await readiness()
    return reply.code(missing === null ? 200 : 503).send({ status: missing ?? 'ok', degraded: degradations() })
  })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await scrape()))
  return {
    app,
    /** Makes the process unready. From then on, each response of the internal port closes its connection. */
    drain() {
      isDraining = true
      drainConnections(app)
    },
  }
}
