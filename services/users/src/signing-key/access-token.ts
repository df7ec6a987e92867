import { tokenAlgorithm, tokenAudience, tokenIssuer, tokenType } from '@marketplace/kit/auth/auth.ts'
import { SignJWT, type CryptoKey } from 'jose'
import type { Context } from '../context.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'
import { unsealPrivateKey } from './sealed-key.ts'
import { listSigningKeys } from './signing-keys.repo.ts'

export interface AccessTokenClaims {
  userId: string
  sessionId: string
  name: string
  /** Database time, read while the session was locked, so that every later revocation has a later time. */
  issuedAt: Date
}

export async function signAccessToken(ctx: Context, claims: AccessTokenClaims): Promise<string> {
  const key = (await signingKeyAt(ctx, claims.issuedAt)) ?? (await createFirstKey(ctx))
  const issuedAtSeconds = Math.floor(claims.issuedAt.getTime() / 1000)
  return new SignJWT({ sid: claims.sessionId, name: claims.name })
    .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid: key.id })
    .setSubject(claims.userId)
    .setIssuer(tokenIssuer)
    .setAudience(tokenAudience)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(issuedAtSeconds + Math.ceil(ctx.settings.ACCESS_TOKEN_TTL_MS / 1000))
    .sign(key.privateKey)
}

interface ActiveKey {
  id: string
  privateKey: CryptoKey
}

// Returns the key that signs tokens at the time `at`, or null if there is none. The keys are read from the database for
// each token, so that all instances change to a new key at the same time.
async function signingKeyAt(ctx: Context, at: Date): Promise<ActiveKey | null> {
  const keys = await listSigningKeys(ctx.db)
  for (const key of keys.toReversed()) {
    const privateKey = key.signsFrom <= at ? await unsealPrivateKey(ctx.secrets.signingKeys, key) : null
    if (privateKey) return { id: key.id, privateKey }
  }
  return null
}

// Creates and returns the first key. The maximum Date is used, because the key is newer than the token's `issuedAt`.
async function createFirstKey(ctx: Context): Promise<ActiveKey> {
  await rotateSigningKeys(ctx)
  const key = await signingKeyAt(ctx, new Date(8.64e15))
  if (!key) throw new Error('No signing key exists.')
  return key
}
