import type { IncomingHttpHeaders } from 'node:http'
import type { CookieNames } from '@marketplace/kit/cookies.ts'
import { isId, newId } from '@marketplace/kit/ids.ts'
import type { FastifyRequest } from 'fastify'
import { readCookie } from '../session/session-cookies.ts'

const lifetimeMs = 365 * 24 * 3_600_000

type Reading = Pick<FastifyRequest, 'target' | 'session'> & { headers: IncomingHttpHeaders }

/**
 * The browser that reads a listing signed out, as catalog is to count it; null where the address counts. It does without a
 * cookie, and for the listing on whose reading the cookie was set: that view counted for the address, and is not to count twice.
 */
export function viewerOf(request: Reading, names: CookieNames): string | null {
  if (!request.target?.route.countsViews || request.session.kind === 'signed in') return null
  const viewer = knownViewer(request.headers, names)
  return viewer === null || viewer.firstListing === request.target.parameters[0] ? null : viewer.id
}

/** The cookie that makes a browser known from here on; null when it is, or when somebody is or may be signed in. */
export function newViewerCookie(request: Reading, names: CookieNames) {
  const { target, session, headers } = request
  if (!target?.route.countsViews || session.kind !== 'signed out' || knownViewer(headers, names) !== null) return null
  return {
    name: names.viewer,
    value: [newId(), ...target.parameters].join('.'),
    expires: new Date(Date.now() + lifetimeMs),
  }
}

function knownViewer({ cookie }: IncomingHttpHeaders, names: CookieNames) {
  const [id = '', firstListing = ''] = readCookie(cookie, names.viewer)?.split('.') ?? []
  return isId(id) ? { id: id.toLowerCase(), firstListing } : null
}
