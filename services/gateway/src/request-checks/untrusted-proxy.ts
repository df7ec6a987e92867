import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { FastifyInstance } from 'fastify'

/** Warns once when a forwarded request arrives although no proxy is trusted: all clients then share one address. */
export function warnAboutUntrustedProxy(app: FastifyInstance, trustedProxies: readonly string[], log: Log): void {
  if (trustedProxies.length > 0) return
  let isReported = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isReported && request.headers['x-forwarded-for'] !== undefined) {
      isReported = true
      log.warn(
        'X-Forwarded-For is ignored: set TRUSTED_PROXIES if a proxy is in front, otherwise limits count it as one client',
      )
    }
    done()
  })
}
