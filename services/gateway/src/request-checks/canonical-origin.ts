import { isLoopback } from '@marketplace/kit/auth/cookies.ts'
import type { FastifyInstance } from 'fastify'
import { webRoute } from '../routing/route-table.ts'

/**
 * Redirects pages opened under another loopback name to PUBLIC_ORIGIN, because their Origin header would fail the write
 * check. Limited to loopback: elsewhere a proxy may set another Host, and a redirect would loop.
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
    // Ends the request: without `done`, no later hook or route runs.
    return void reply.header('cache-control', 'no-store').redirect(`${publicOrigin}${target.path}${query}`, 307)
  })
}
