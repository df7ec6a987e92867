import type { FastifyInstance } from 'fastify'
import type { GatewayConfig } from '../config.ts'

export interface WarningLog {
  warn(fields: object, message: string): void
}

/**
 * Logs a warning at start if PUBLIC_ORIGIN uses HTTPS without a trusted proxy, and one at the first X-Forwarded-For
 * header from an untrusted address.
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
    // If Fastify does not trust the sender, it ignores the X-Forwarded-For header and `request.ip` is the address of
    // the socket.
    const isIgnored = request.headers['x-forwarded-for'] !== undefined && request.ip === request.socket.remoteAddress
    if (isIgnored && !isLogged) {
      isLogged = true
      log.warn({ setting: 'TRUSTED_PROXIES' }, 'x-forwarded-for ignored; sender not trusted')
    }
    done()
  })
}
