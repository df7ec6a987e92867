import type { IncomingHttpHeaders } from 'node:http'
import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import type { VerifyToken } from '@marketplace/kit/auth/caller.ts'
import { forbidden, type DomainError } from '@marketplace/kit/errors/problem.ts'
import { logSecurityEvent } from '@marketplace/kit/telemetry/security-event.ts'
import type { FastifyRequest } from 'fastify'
import type { Route } from '../routing/route.ts'
import { readCookie } from '../session/session-cookies.ts'

// Sec-Fetch-Site values of allowed requests: those from the site's own pages, and those that the user starts, for
// example in the address bar.
const ownSites = new Set(['same-origin', 'none'])

export interface OriginCheckOptions {
  config: { PUBLIC_ORIGIN: string }
  names: CookieNames
  sessions: { verify: VerifyToken }
}

/**
 * Throws `foreign_origin` (403) and logs the request if a write comes from another site. Throws `prefetch` (403) for a
 * write that a browser sends as a prefetch. Source: OWASP CSRF Prevention Cheat Sheet.
 */
export async function checkOrigin(
  request: FastifyRequest,
  route: Route,
  { config, names, sessions }: OriginCheckOptions,
): Promise<void> {
  const problem = findProblem(route, request.headers, config.PUBLIC_ORIGIN)
  if (problem === null) return
  if (problem.code === 'foreign_origin') {
    const access = readCookie(request.headers.cookie, names.access)
    const token = access === null ? null : await sessions.verify(access).catch(() => null)
    const userId = token?.userId ?? null
    logSecurityEvent(request.log, { event: 'foreign_origin', userId, address: request.ip })
  }
  throw problem
}

function findProblem(route: Route, headers: IncomingHttpHeaders, publicOrigin: string): DomainError | null {
  if (!route.isWrite || route.body === 'raw') return null
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const purposes = [headers['purpose'], headers['sec-purpose']].join(' ')
  const isCrossSite = (origin !== undefined && origin !== publicOrigin) || (site !== undefined && !ownSites.has(site))
  if (isCrossSite) return forbidden('foreign_origin', 'This request came from another site.')
  return purposes.includes('prefetch') ? forbidden('prefetch', 'This address must not be prefetched.') : null
}
