import { DomainError } from '@marketplace/kit/errors/problem.ts'
import { cleanLine } from '@marketplace/kit/http/text.ts'

/**
 * Claims about a person from the OpenID provider. `sub` identifies the person. The other claims can have any type and
 * are validated before use.
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
// Maximum length of an email address according to RFC 5321: 64 characters before the @ and 255 after it.
const maxEmail = 320
// Maximum length of `sub` according to OpenID Connect Core, section 2.
const maxSubject = 255
const defaultName = 'Member'
const inlinePicture = /^data:image\/(?:svg\+xml|png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/**
 * Validates the claims and converts them to a person. The name is shortened to one line of at most 100 characters, and
 * an invalid picture becomes null. Throws `email_missing` (403) if the email address is missing or too long, or if
 * `sub` is too long.
 */
export function toPerson(claims: Claims): Person {
  // Cuts the address at one character above the limit, so that the next line can detect an address that is too long.
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
  // Some providers send the picture as a data URL. Even an SVG is safe, because pages show it in an <img> element,
  // where its scripts do not run.
  if (inlinePicture.test(value)) return value
  const url = URL.parse(value)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > maxPicture) return null
  return url.href
}
