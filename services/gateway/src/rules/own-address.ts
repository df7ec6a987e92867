import { isLoopback } from '@marketplace/kit/cookies.ts'
import type { FastifyInstance } from 'fastify'
import { webRoute } from '../routing/route-table.ts'

/**
 * A page opened under another name of this machine could read but not write: its Origin would not be ours. It is led to
 * PUBLIC_ORIGIN. Only on one machine: elsewhere a Host that differs may come from a proxy, and leading it on would go in a circle.
 */
export function leadToOwnAddress(app: FastifyInstance, publicOrigin: string): void {
  if (!isLoopback(publicOrigin)) return
  const own = new URL(publicOrigin)
  app.addHook('onRequest', async (request, reply) => {
    const { target, headers } = request
    if (target?.route !== webRoute || !headers.accept?.includes('text/html')) return undefined
    const asked = new URL(`${own.protocol}//${headers.host}`)
    if (asked.hostname === own.hostname || asked.port !== own.port || !isLoopback(asked.origin)) return undefined
    const query = target.query === '' ? '' : `?${target.query}`
    return reply.header('cache-control', 'no-store').redirect(`${publicOrigin}${target.path}${query}`, 307)
  })
}
