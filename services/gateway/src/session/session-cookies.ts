import type { CookieNames } from '@marketplace/kit/cookies.ts'
import type { Session } from './resolve-session.ts'

// Our values are base64url parts, which need no decoding; a cookie of another form is not ours.
const valueForm = /^[\w.~-]{1,4096}$/

/** A cookie's value; null also when it is given twice, since one of the two is someone else's. */
export function readCookie(header: string | undefined, name: string): string | null {
  const start = `${name}=`
  if (header === undefined || !header.includes(start)) return null
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
  const [value] = values
  return values.length === 1 && value !== undefined && valueForm.test(value) ? value : null
}

export interface Cookie {
  name: string
  value: string
  expires: Date
}

/** The cookies to set with an answer: the renewed tokens, or none of either once the session is over. */
export function sessionCookies(session: Session, { access, refresh }: CookieNames): Cookie[] {
  if (session.kind === 'signed in' && session.renewed) {
    const { accessToken, refreshToken, refreshExpiresAt: expires } = session.renewed
    return [
      { name: access, value: accessToken, expires },
      { name: refresh, value: refreshToken, expires },
    ]
  }
  if (session.kind === 'signed out' && session.isOver) {
    return [access, refresh].map((name) => ({ name, value: '', expires: new Date(0) }))
  }
  return []
}
