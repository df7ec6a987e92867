import { DomainError } from '@marketplace/kit/errors/problem.ts'

/** Claims of the OpenID provider about a person. Only `sub` is trusted; the rest is validated. */
export interface Claims {
  sub: string
  email?: unknown
  name?: unknown
  picture?: unknown
}

export interface Person {
  subject: string
  email: string
  name: string
  picture: string | null
}

export interface Account {
  id: string
  email: string
  name: string
  picture: string | null
}

const maxName = 100
const maxPicture = 2048
// RFC 5321: 64 characters before the @ and 255 after it.
const maxEmail = 320
// OpenID Connect Core, section 2.
const maxSubject = 255
const defaultName = 'Member'
const inlinePicture = /^data:image\/(?:svg\+xml|png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/**
 * Validates claims: the name becomes one line of at most 100 characters, an invalid picture becomes null. Throws `email_missing`
 * (403) without a usable email address.
 */
export function toPerson(claims: Claims): Person {
  const email = singleLine(claims.email)
  if (email.length === 0 || email.length > maxEmail || claims.sub.length > maxSubject) {
    throw new DomainError('forbidden', 'email_missing', 'Your sign-in provider did not share an email address.')
  }
  const name = Array.from(singleLine(claims.name)).slice(0, maxName).join('').trim()
  return { subject: claims.sub, email, name: name || defaultName, picture: toPicture(claims.picture) }
}

// Control characters are replaced, because they could forge a log line and Postgres rejects NUL.
function singleLine(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .slice(0, 4 * maxName + maxEmail)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
}

function toPicture(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxPicture) return null
  // Some providers send the picture as a data URL. It is safe in an <img>, where scripts of an SVG do not run.
  if (inlinePicture.test(value)) return value
  const url = URL.parse(value)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > maxPicture) return null
  return url.href
}
