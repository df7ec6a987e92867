import { Id, newId } from '@marketplace/kit/values/ids.ts'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { z } from 'zod'

/** A sign-in in progress. It is stored only in an encrypted cookie of the browser that started it. */
export interface SignInAttempt {
  id: string
  state: string
  nonce: string
  verifier: string
  expiresAt: Date
}

const AttemptClaims = z.object({
  jti: Id,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  exp: z.number(),
})

// Longer cookies are rejected without decryption. A valid cookie has about 400 characters.
const maxEncryptedLength = 2048

export function createAttempt(
  random: Pick<SignInAttempt, 'state' | 'nonce' | 'verifier'>,
  now: Date,
  ttlMs: number,
): SignInAttempt {
  return { ...random, id: newId(), expiresAt: new Date(now.getTime() + ttlMs) }
}

export function encryptAttempt(
  { id, expiresAt, state, nonce, verifier }: SignInAttempt,
  secret: Uint8Array,
): Promise<string> {
  return new EncryptJWT({ state, nonce, verifier })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setJti(id)
    .setExpirationTime(expiresAt)
    .encrypt(secret)
}

/** Decrypts a sign-in cookie. Returns null if the cookie is invalid or expired. */
export async function decryptAttempt(encrypted: string, secret: Uint8Array): Promise<SignInAttempt | null> {
  if (encrypted.length > maxEncryptedLength) return null
  const decrypted = await jwtDecrypt(encrypted, secret, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError) return null
    throw error
  })
  const claims = AttemptClaims.safeParse(decrypted?.payload)
  if (!claims.success) return null
  const { jti, exp, ...rest } = claims.data
  return { ...rest, id: jti, expiresAt: new Date(exp * 1000) }
}
