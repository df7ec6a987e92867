import type { FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { FastifyRequest } from 'fastify'
import type { Target } from '../routing/match.ts'
import type { Service } from '../routing/route.ts'

export type ProxyHooks = NonNullable<FastifyHttpProxyOptions['replyOptions']>

/**
 * Fastify's reply as the proxy plugin passes it to its hooks. The plugin does not export this type, so it is derived
 * from a hook's parameter.
 */
export type ProxyReply = Parameters<NonNullable<ProxyHooks['onError']>>[0]

/** State of a request while a service handles it. */
export interface Forwarding {
  hooks: ProxyHooks
  /** Timer that fails the request when the service does not start its response in time. */
  deadline: NodeJS.Timeout
  retries: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request is forwarded. */
    forwarding: Forwarding | null
  }
}

export function targetOf({ target }: Pick<FastifyRequest, 'target'>): Target {
  if (!target) throw new Error('The request has no target.')
  return target
}

export function serviceOf(request: Pick<FastifyRequest, 'target'>): Service {
  const { to } = targetOf(request).route
  if (to === 'gateway') throw new Error('The gateway is not an upstream.')
  return to
}

export function forwardingOf({ forwarding }: Pick<FastifyRequest, 'forwarding'>): Forwarding {
  if (!forwarding) throw new Error('The request was not forwarded.')
  return forwarding
}
