import { Id, newId } from '@marketplace/kit/ids.ts'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { z } from 'zod'

/** A sign-in under way: what only the browser that began it can bring back, encrypted in its cookie. */
export interface Login {
  id: string
  state: string
  nonce: string
  verifier: string
  expiresAt: Date
}

const LoginClaims = z.object({
  jti: Id,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  exp: z.number(),
})

// jose reads at most this much; a cookie of ours has about 400 characters.
const maxSealedLength = 2048

export function newLogin(secrets: Pick<Login, 'state' | 'nonce' | 'verifier'>, now: Date, lifeMs: number): Login {
  return { ...secrets, id: newId(), expiresAt: new Date(now.getTime() + lifeMs) }
}

export function sealLogin({ id, expiresAt, state, nonce, verifier }: Login, secret: Uint8Array): Promise<string> {
  return new EncryptJWT({ state, nonce, verifier })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setJti(id)
    .setExpirationTime(expiresAt)
    .encrypt(secret)
}

/** The login that a cookie holds; null when the cookie is not ours or its time is over. */
export async function openLogin(sealed: string, secret: Uint8Array): Promise<Login | null> {
  if (sealed.length > maxSealedLength) return null
  const decrypted = await jwtDecrypt(sealed, secret, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError) return null
    throw error
  })
  const claims = LoginClaims.safeParse(decrypted?.payload)
  if (!claims.success) return null
  const { jti, exp, ...rest } = claims.data
  return { ...rest, id: jti, expiresAt: new Date(exp * 1000) }
}
