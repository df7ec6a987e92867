import type { FastifyRequest } from 'fastify'
import { jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { Id } from '../values/ids.ts'
import type { Caller, VerifyToken } from './caller.ts'
import { remotePublicKeys } from './public-keys.ts'
import { cacheVerifiedTokens } from './verified-tokens.ts'
import { unauthenticated, unavailable } from '../errors/problem.ts'

export const tokenIssuer = 'marketplace-users'
export const tokenAudience = 'marketplace'
export const tokenType = 'at+jwt'
export const tokenAlgorithm = 'EdDSA'

/** Longest time from issue to expiry of an access token. Longer ones are rejected, even if their signature is valid. */
export const maxTokenAgeMs = 3_600_000
// Difference between the clocks of the database that sets `iat` and of this process.
const clockToleranceMs = 30_000

const Claims = z
  .object({ sub: Id, sid: Id, name: z.string(), iat: z.int(), exp: z.int() })
  .refine(({ iat, exp }) => exp > iat && (exp - iat) * 1000 <= maxTokenAgeMs)
  .refine(({ iat }) => iat * 1000 <= Date.now() + clockToleranceMs)

// Issued tokens have about 600 bytes; longer ones are rejected before parsing.
const maxTokenLength = 4096

// Three base64url parts without padding. Together with `isCanonical`, each token has exactly one spelling.
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
 * Verifies tokens with the public keys of the users service. Verified tokens are cached per process until they expire,
 * because the signature check costs more than the rest of a request.
 */
export function remoteTokenVerifier(usersInternalUrl: string): VerifyToken {
  return cacheVerifiedTokens(tokenVerifier(remotePublicKeys(usersInternalUrl)))
}

/** Returns the caller, or null without a token. Throws 401 for an invalid token, also on open routes. */
export async function readCaller(request: FastifyRequest, verify: VerifyToken): Promise<Caller | null> {
  const header = request.headers.authorization
  if (header === undefined) return null
  if (!header.startsWith('Bearer ')) throw unauthenticated()
  return verify(header.slice('Bearer '.length))
}

// The last character of a base64url part can have unused bits, so the same bytes have several spellings.
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return code === 'ERR_JWKS_TIMEOUT' || error instanceof TypeError || code === 'ERR_JOSE_GENERIC'
}
