import type { FastifyRequest } from 'fastify'
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { Id } from './ids.ts'
import { keepVerified } from './kept-tokens.ts'
import { unauthenticated, unavailable } from './problem.ts'

export const tokenIssuer = 'marketplace-users'
export const tokenAudience = 'marketplace'
export const tokenType = 'at+jwt'
export const tokenAlgorithm = 'EdDSA'

const Claims = z.object({ sub: Id, sid: Id, name: z.string(), iat: z.number(), exp: z.number() })

/** Who is asking: from a verified access token. */
export interface Caller {
  userId: string
  sessionId: string
  name: string
}

export interface VerifiedToken extends Caller {
  issuedAt: Date
  expiresAt: Date
}

/** Resolves to the token's claims; rejects with 401 when it is not ours, 503 when the keys cannot be read. */
export type VerifyToken = (token: string) => Promise<VerifiedToken>

// A token of ours has about 600 bytes; a longer one is not worth the parse.
const maxTokenLength = 4096

// The shape first: parts are base64url without padding, so that one token has one spelling only.
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

export function tokenVerifier(keys: JWTVerifyGetKey): VerifyToken {
  return async (token) => {
    if (token.length > maxTokenLength || !tokenForm.test(token) || !isCanonical(token)) throw unauthenticated()
    const verified = await jwtVerify(token, keys, {
      algorithms: [tokenAlgorithm],
      issuer: tokenIssuer,
      audience: tokenAudience,
      typ: tokenType,
    }).catch((error: unknown) => {
      throw isUnreachable(error) ? unavailable('Sign-in') : unauthenticated()
    })
    const claims = Claims.safeParse(verified.payload)
    if (!claims.success || verified.payload.aud !== tokenAudience) throw unauthenticated()
    const { sub, sid, name, iat, exp } = claims.data
    return { userId: sub, sessionId: sid, name, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
  }
}

/**
 * Verifies with the public keys that users serves; they are kept and re-read when an unknown key appears. A token is verified
 * once by a process: its signature costs more than the rest of a request.
 */
export function remoteTokenVerifier(usersInternalUrl: string): VerifyToken {
  // Once by each process, and not again by age: that would ask users, who may be down, about people who are signed in.
  const options = { timeoutDuration: 3000, cooldownDuration: 1000, cacheMaxAge: Infinity }
  return keepVerified(tokenVerifier(createRemoteJWKSet(new URL('/jwks.json', usersInternalUrl), options)))
}

/** The caller, or null when the request carries no token. A wrong token is 401, also where none is needed. */
export async function readCaller(request: FastifyRequest, verify: VerifyToken): Promise<Caller | null> {
  const header = request.headers.authorization
  if (header === undefined) return null
  if (!header.startsWith('Bearer ')) throw unauthenticated()
  return verify(header.slice('Bearer '.length))
}

// The last character of a base64url part can carry unused bits: the same bytes under a second spelling.
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return code === 'ERR_JWKS_TIMEOUT' || error instanceof TypeError || code === 'ERR_JOSE_GENERIC'
}
