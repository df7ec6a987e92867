import { DomainError } from '@marketplace/kit/errors/problem.ts'
import { cleanLine } from '@marketplace/kit/http/text.ts'

/**
 * The OpenID provider's claims about a person. `sub` identifies the person and is used as it is. The other claims are
 * validated before use.
 */
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
// Maximum length of an email address by RFC 5321: 64 characters before the @ and 255 after it.
const maxEmail = 320
// Maximum length of `sub` by OpenID Connect Core, section 2.
const maxSubject = 255
const defaultName = 'Member'
const inlinePicture = /^data:image\/(?:svg\+xml|png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/**
 * Validates claims. The name becomes one line of at most 100 characters; an invalid picture becomes null. Throws
 * `email_missing` (403) if there is no usable email address.
 */
export function toPerson(claims: Claims): Person {
  // The address is cut to one character more than the limit, so that a longer address is detected and rejected.
  const email = toLine(claims.email, maxEmail + 1)
  if (email.length === 0 || email.length > maxEmail || claims.sub.length > maxSubject) {
    throw new DomainError('forbidden', 'email_missing', 'Your sign-in provider did not share an email address.')
  }
  const name = toLine(claims.name, maxName) || defaultName
  return { subject: claims.sub, email, name, picture: toPicture(claims.picture) }
}

function toLine(value: unknown, max: number): string {
  return typeof value === 'string' ? cleanLine(value, max) : ''
}

function toPicture(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxPicture) return null
  // Some providers send the picture as a data URL. That is safe in an <img> element, where scripts of an SVG do not
  // run.
  if (inlinePicture.test(value)) return value
  const url = URL.parse(value)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > maxPicture) return null
  return url.href
}
