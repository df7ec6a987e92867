import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import type { Session } from './resolve-session.ts'

// The gateway's cookie values contain only these characters, which need no decoding. A cookie with any other value is
// ignored.
const valuePattern = /^[\w.~-]{1,4096}$/

/**
 * Returns a cookie's value, or null if the cookie is missing. Also returns null if the name occurs twice, because
 * another party might have set one of the two cookies.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  const start = `${name}=`
  if (header === undefined || !header.includes(start)) return null
  let found: string | null = null
  for (const pair of header.split(';')) {
    const cookie = pair.trim()
    if (!cookie.startsWith(start)) continue
    if (found !== null) return null
    found = cookie.slice(start.length)
  }
  return found !== null && valuePattern.test(found) ? found : null
}

export interface Cookie {
  name: string
  value: string
  expires: Date
}

/** Returns the cookies to set: the refreshed tokens, or deletions if the session has ended. */
export function sessionCookies(session: Session, { access, refresh }: CookieNames): Cookie[] {
  if (session.kind === 'signed in' && session.refreshed) {
    const { accessToken, refreshToken, refreshExpiresAt: expires } = session.refreshed
    return [
      { name: access, value: accessToken, expires },
      { name: refresh, value: refreshToken, expires },
    ]
  }
  if (session.kind === 'signed out' && session.hasEnded) {
    return [access, refresh].map((name) => ({ name, value: '', expires: new Date(0) }))
  }
  return []
}
