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

/**
 * Maximum lifetime of an access token, in ms. A token with a longer lifetime is rejected even if its signature is
 * valid.
 */
export const maxTokenAgeMs = 3_600_000
// How far, in ms, a token's issue time `iat` can be in the future. `iat` comes from the database clock, which can
// differ from the clock of this process.
const clockToleranceMs = 30_000

const Claims = z
  .object({ sub: Id, sid: Id, name: z.string(), iat: z.int(), exp: z.int() })
  .refine(({ iat, exp }) => exp > iat && (exp - iat) * 1000 <= maxTokenAgeMs)
  .refine(({ iat }) => iat * 1000 <= Date.now() + clockToleranceMs)

// A token from the users service has about 600 bytes. A token longer than this limit is rejected before it is parsed.
const maxTokenLength = 4096

// Matches three base64url parts without padding. Together with `isCanonical`, the pattern rejects alternative encodings
// of the same token.
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
 * Verifies tokens with the public keys of the users service. Verified tokens are cached per process for at most 5 min,
 * because the signature check costs more than the rest of a request.
 */
export function remoteTokenVerifier(usersInternalUrl: string): VerifyToken {
  return cacheVerifiedTokens(tokenVerifier(remotePublicKeys(usersInternalUrl)))
}

/**
 * Returns the caller, or null if the request has no token. Throws 401 for an invalid token, even on routes that need no
 * session.
 */
export async function readCaller(request: FastifyRequest, verify: VerifyToken): Promise<Caller | null> {
  const header = request.headers.authorization
  if (header === undefined) return null
  if (!header.startsWith('Bearer ')) throw unauthenticated()
  return verify(header.slice('Bearer '.length))
}

// Returns whether each part of the token is the canonical base64url encoding of its bytes. The last character of a part
// can contain unused bits, so several texts decode to the same bytes.
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return code === 'ERR_JWKS_TIMEOUT' || error instanceof TypeError || code === 'ERR_JOSE_GENERIC'
}
