import { tokenAlgorithm, tokenAudience, tokenIssuer, tokenType } from '@marketplace/kit/auth.ts'
import { SignJWT, type CryptoKey } from 'jose'
import type { Context } from '../context.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'
import { openSigningKey } from './sealed-key.ts'
import { listSigningKeys } from './signing-keys.repo.ts'

export interface AccessTokenClaims {
  userId: string
  sessionId: string
  name: string
  /** The database's time at which the session was found alive: a revocation covers what was issued before it. */
  issuedAt: Date
}

export async function signAccessToken(ctx: Context, claims: AccessTokenClaims): Promise<string> {
  const key = (await signingKeyAt(ctx, claims.issuedAt)) ?? (await firstSigningKey(ctx))
  const issuedAtSeconds = Math.floor(claims.issuedAt.getTime() / 1000)
  return new SignJWT({ sid: claims.sessionId, name: claims.name })
    .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid: key.id })
    .setSubject(claims.userId)
    .setIssuer(tokenIssuer)
    .setAudience(tokenAudience)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(issuedAtSeconds + Math.ceil(ctx.settings.ACCESS_TOKEN_MS / 1000))
    .sign(key.privateKey)
}

interface OpenKey {
  id: string
  privateKey: CryptoKey
}

// Read each time: it is one small table, and every pod changes keys at the same instant.
async function signingKeyAt(ctx: Context, at: Date): Promise<OpenKey | null> {
  const keys = await listSigningKeys(ctx.db)
  for (const key of keys.toReversed()) {
    const privateKey = key.signsFrom <= at ? await openSigningKey(ctx.secrets.signingKeys, key) : null
    if (privateKey) return { id: key.id, privateKey }
  }
  return null
}

// Made by this very call on a new database, so it signs from a moment after the session was read.
async function firstSigningKey(ctx: Context): Promise<OpenKey> {
  await rotateSigningKeys(ctx)
  const key = await signingKeyAt(ctx, new Date(8.64e15))
  if (!key) throw new Error('There is no signing key.')
  return key
}
