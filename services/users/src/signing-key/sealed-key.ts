import { newId } from '@marketplace/kit/ids.ts'
import { tokenAlgorithm } from '@marketplace/kit/auth.ts'
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

/** A new key pair, its private half sealed with AES-256-GCM; the key's id is sealed along. */
export async function makeSigningKey(secret: Uint8Array, signsFrom: Date): Promise<SigningKey> {
  const id = newId()
  const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm, { crv: 'Ed25519', extractable: true })
  const sealed = await new CompactEncrypt(new TextEncoder().encode(await exportPKCS8(privateKey)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
    .encrypt(secret)
  const publicJwk = { ...(await exportJWK(publicKey)), kid: id, alg: tokenAlgorithm, use: 'sig' }
  return { id, publicJwk, sealed, signsFrom }
}

/** The private key, or null when it was sealed under another secret. */
export async function openSigningKey(secret: Uint8Array, key: SigningKey): Promise<CryptoKey | null> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(key.sealed, secret, encryption)
    if (protectedHeader.kid !== key.id) return null
    return await importPKCS8(new TextDecoder().decode(plaintext), tokenAlgorithm)
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed) return null
    throw error
  }
}
