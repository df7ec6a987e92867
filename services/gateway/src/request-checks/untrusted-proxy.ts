import type { FastifyInstance } from 'fastify'
import type { GatewayConfig } from '../config.ts'

export interface WarningLog {
  warn(fields: object, message: string): void
}

/**
 * Logs a warning at start when pages are served over TLS, which a proxy terminates, but no proxy is trusted. Logs another
 * one at the first X-Forwarded-For header from an address that is not trusted: with either, all users may share the limits
 * of one address.
 */
export function warnWithoutTrustedProxies(
  app: FastifyInstance,
  { PUBLIC_ORIGIN: origin, TRUSTED_PROXIES: proxies }: Pick<GatewayConfig, 'PUBLIC_ORIGIN' | 'TRUSTED_PROXIES'>,
  log: WarningLog,
): void {
  if (proxies.length === 0 && origin.startsWith('https:')) {
    log.warn({ setting: 'TRUSTED_PROXIES' }, 'no proxy trusted; users share rate limits')
  }
  let isLogged = false
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify takes the client's address from the header only when it trusts the sender.
    const isIgnored = request.headers['x-forwarded-for'] !== undefined && request.ip === request.socket.remoteAddress
    if (isIgnored && !isLogged) {
      isLogged = true
      log.warn({ setting: 'TRUSTED_PROXIES' }, 'x-forwarded-for ignored; sender not trusted')
    }
    done()
  })
}
