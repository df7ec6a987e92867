import { isLoopback } from '@marketplace/kit/auth/cookies.ts'
import type { FastifyInstance } from 'fastify'
import { webRoute } from '../routing/route-table.ts'

/**
 * Redirects pages opened under another loopback name, such as 127.0.0.1, to PUBLIC_ORIGIN, the only origin from which
 * writes are accepted. Does nothing unless PUBLIC_ORIGIN is a loopback address.
 */
export function redirectToCanonicalOrigin(app: FastifyInstance, publicOrigin: string): void {
  if (!isLoopback(publicOrigin)) return
  const canonical = new URL(publicOrigin)
  app.addHook('onRequest', (request, reply, done) => {
    const { target, headers } = request
    if (target?.route !== webRoute || !headers.accept?.includes('text/html')) return done()
    const requested = new URL(`${canonical.protocol}//${headers.host}`)
    if (requested.hostname === canonical.hostname || requested.port !== canonical.port || !isLoopback(requested.origin))
      return done()
    const query = target.query === '' ? '' : `?${target.query}`
    // `done` is not called, so that no later hook and no route runs after the redirect.
    return void reply.header('cache-control', 'no-store').redirect(`${publicOrigin}${target.path}${query}`, 307)
  })
}
