import type { IncomingHttpHeaders } from 'node:http'
import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import { isId, newId } from '@marketplace/kit/values/ids.ts'
import type { FastifyRequest } from 'fastify'
import { readCookie } from '../session/session-cookies.ts'

const lifetimeMs = 365 * 24 * 3_600_000

type ViewRequest = Pick<FastifyRequest, 'target' | 'session'> & { headers: IncomingHttpHeaders }

/**
 * Returns the id under which catalog counts a view by a signed-out browser; null when it counts by address. The address
 * is used without a cookie and for the listing that set it, because its first view was counted by address.
 */
export function viewerIdOf(request: ViewRequest, names: CookieNames): string | null {
  if (!request.target?.route.countsViews || request.session.kind === 'signed in') return null
  const viewer = readViewer(request.headers, names)
  return viewer === null || viewer.firstListing === request.target.parameters[0] ? null : viewer.id
}

/**
 * Returns the cookie that identifies a browser from now on; null when it has one or when a user is or may be signed in.
 */
export function newViewerCookie(request: ViewRequest, names: CookieNames) {
  const { target, session, headers } = request
  if (!target?.route.countsViews || session.kind !== 'signed out' || readViewer(headers, names) !== null) return null
  return {
    name: names.viewer,
    value: [newId(), ...target.parameters].join('.'),
    expires: new Date(Date.now() + lifetimeMs),
  }
}

function readViewer({ cookie }: IncomingHttpHeaders, names: CookieNames) {
  const [id = '', firstListing = ''] = readCookie(cookie, names.viewer)?.split('.') ?? []
  return isId(id) ? { id: id.toLowerCase(), firstListing } : null
}
