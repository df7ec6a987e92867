import { DomainError } from '@marketplace/kit/problem.ts'

/** What a provider says about a person. Nothing of it is trusted beyond `sub`. */
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
// RFC 5321: 64 characters before the @, 255 behind it.
const maxEmail = 320
// OpenID Connect Core, section 2.
const maxSubject = 255
const nameless = 'Member'
const inlinePicture = /^data:image\/(?:svg\+xml|png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** A person in our limits: the name as plain text, the picture a web address or drawn inline, and no sign-in without an e-mail. */
export function personOf(claims: Claims): Person {
  const email = line(claims.email)
  if (email.length === 0 || email.length > maxEmail || claims.sub.length > maxSubject) {
    throw new DomainError('forbidden', 'email_missing', 'Your sign-in provider did not share an e-mail address.')
  }
  const name = Array.from(line(claims.name)).slice(0, maxName).join('').trim()
  return { subject: claims.sub, email, name: name || nameless, picture: pictureOf(claims.picture) }
}

// One line of well-formed text: control characters could forge a log line, and Postgres takes no NUL.
function line(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .slice(0, 4 * maxName + maxEmail)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
}

function pictureOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxPicture) return null
  // Drawn inline, as some providers do; shown in an <img>, where nothing in it can run.
  if (inlinePicture.test(value)) return value
  const url = URL.parse(value)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > maxPicture) return null
  return url.href
}
