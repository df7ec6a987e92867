import type { FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { FastifyRequest } from 'fastify'
import type { Target } from '../routing/match.ts'
import type { Service } from '../routing/route.ts'

export type ProxyHooks = NonNullable<FastifyHttpProxyOptions['replyOptions']>

/** The plugin's type of a reply, which is generic over the server type. */
export type ProxyReply = Parameters<NonNullable<ProxyHooks['onError']>>[0]

/** State of a request while a service handles it. */
export interface Forwarding {
  hooks: ProxyHooks
  /** Timer of the deadline for the start of the response. */
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
