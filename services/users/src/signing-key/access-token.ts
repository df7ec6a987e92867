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
  /**
   * Database time at which the session was read as active, under its lock. The session can thus be revoked only after
   * this time.
   */
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

// Returns the signing key at a time. The keys are read from the database for each token, so that all instances change
// keys at the same time. The table has few rows.
async function signingKeyAt(ctx: Context, at: Date): Promise<ActiveKey | null> {
  const keys = await listSigningKeys(ctx.db)
  for (const key of keys.toReversed()) {
    const privateKey = key.signsFrom <= at ? await unsealPrivateKey(ctx.secrets.signingKeys, key) : null
    if (privateKey) return { id: key.id, privateKey }
  }
  return null
}

// Selects the key for the latest possible date. On a new database the key is created after the session was read, so its
// `signsFrom` is later than the token's `issuedAt`, and no key would be found for that time.
async function createFirstKey(ctx: Context): Promise<ActiveKey> {
  await rotateSigningKeys(ctx)
  const key = await signingKeyAt(ctx, new Date(8.64e15))
  if (!key) throw new Error('No signing key exists.')
  return key
}
