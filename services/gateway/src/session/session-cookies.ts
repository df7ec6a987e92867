import { fastifyCookie } from '@fastify/cookie'
import type { CookieNames, CookieOptions } from '@marketplace/kit/cookies.ts'
import type { Session } from './resolve-session.ts'

// Our values are base64url parts, which need no decoding; a cookie of another form is not ours.
const valueForm = /^[\w.~-]{1,4096}$/

/** A cookie's value; null also when it is given twice, since one of the two is someone else's. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  return values.length === 1 && value !== undefined && valueForm.test(value) ? value : null
}

/** The Set-Cookie lines of an answer: the renewed tokens, or none of either once the session is over. */
export function sessionCookies(session: Session, names: CookieNames, attributes: CookieOptions): string[] {
  if (session.kind === 'signed in' && session.renewed) {
    const { accessToken, refreshToken, refreshExpiresAt } = session.renewed
    const options = { ...attributes, expires: refreshExpiresAt }
    return [
      fastifyCookie.serialize(names.access, accessToken, options),
      fastifyCookie.serialize(names.refresh, refreshToken, options),
    ]
  }
  if (session.kind === 'signed out' && session.isOver) {
    const options = { ...attributes, expires: new Date(0) }
    return [fastifyCookie.serialize(names.access, '', options), fastifyCookie.serialize(names.refresh, '', options)]
  }
  return []
}
