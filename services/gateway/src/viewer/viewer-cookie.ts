import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import { isId, newId } from '@marketplace/kit/values/ids.ts'
import type { FastifyRequest } from 'fastify'
import { readCookie, type Cookie } from '../session/session-cookies.ts'

const lifetimeMs = 365 * 24 * 3_600_000

type ViewRequest = Pick<FastifyRequest, 'target' | 'session'> & { headers: IncomingHttpHeaders }

export interface ViewerCookies {
  /**
   * Returns the browser id from the viewer cookie, by which a signed-out visitor's view is counted. Returns null if the
   * request does not count as a view, the visitor is signed in, or there is no valid cookie. Also returns null for the
   * listing that the browser opened first: that view was counted by client address, because the cookie did not exist
   * yet.
   */
  idOf(request: ViewRequest): string | null
  /**
   * Returns a new cookie that identifies the browser in later requests, or null if the browser already has a cookie or
   * the visitor might be signed in.
   */
  cookieFor(request: ViewRequest): Cookie | null
}

interface Viewer {
  id: string
  firstListing: string
}

/**
 * Creates functions that read and create viewer cookies, which are signed with a key that all gateways derive from the
 * internal secret.
 */
export function createViewerCookies(internalSecret: string, names: CookieNames): ViewerCookies {
  const key = new Uint8Array(hkdfSync('sha256', internalSecret, '', 'marketplace-gateway viewer-cookie', 32))
  const signatureOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
  const readViewer = ({ cookie }: IncomingHttpHeaders): Viewer | null => {
    const [id = '', firstListing = '', signature = ''] = readCookie(cookie, names.viewer)?.split('.') ?? []
    if (!isId(id)) return null
    const given = Buffer.from(signature, 'base64url')
    const expected = signatureOf(`${id}.${firstListing}`)
    const isValid = given.length === expected.length && timingSafeEqual(given, expected)
    return isValid ? { id: id.toLowerCase(), firstListing } : null
  }
  return {
    idOf({ target, session, headers }) {
      if (!target?.route.countsViews || session.kind === 'signed in') return null
      const viewer = readViewer(headers)
      return viewer === null || viewer.firstListing === target.parameters[0] ? null : viewer.id
    },
    cookieFor({ target, session, headers }) {
      if (!target?.route.countsViews || session.kind !== 'signed out') return null
      if (readViewer(headers) !== null) return null
      const signed = `${newId()}.${target.parameters[0] ?? ''}`
      return {
        name: names.viewer,
        value: `${signed}.${signatureOf(signed).toString('base64url')}`,
        expires: new Date(Date.now() + lifetimeMs),
      }
    },
  }
}
