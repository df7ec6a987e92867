import { newId } from '@marketplace/kit/values/ids.ts'
import { tokenAlgorithm } from '@marketplace/kit/auth/auth.ts'
import {
  compactDecrypt,
  CompactEncrypt,
  errors,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type CryptoKey,
} from 'jose'
import type { SigningKey } from './signing-keys.repo.ts'

const encryption = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }

/**
 * Generates a key pair and encrypts the private key with AES-256-GCM, with the key id as additional authenticated data.
 */
export async function createSigningKey(secret: Uint8Array, signsFrom: Date): Promise<SigningKey> {
  const id = newId()
  const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm, { crv: 'Ed25519', extractable: true })
  const sealed = await new CompactEncrypt(new TextEncoder().encode(await exportPKCS8(privateKey)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
    .encrypt(secret)
  const publicJwk = { ...(await exportJWK(publicKey)), kid: id, alg: tokenAlgorithm, use: 'sig' }
  return { id, publicJwk, sealed, signsFrom }
}

/** Decrypts the private key. Returns null if it was encrypted with another secret. */
export async function unsealPrivateKey(secret: Uint8Array, key: SigningKey): Promise<CryptoKey | null> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(key.sealed, secret, encryption)
    if (protectedHeader.kid !== key.id) return null
    return await importPKCS8(new TextDecoder().decode(plaintext), tokenAlgorithm)
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed) return null
    throw error
  }
}
