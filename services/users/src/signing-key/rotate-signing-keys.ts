import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import type { Context } from '../context.ts'
import { createSigningKey, unsealPrivateKey } from './sealed-key.ts'
import { expiredKeys, nextKeySignsFrom, pendingKeys } from './signing-key.ts'
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKey,
} from './signing-keys.repo.ts'

type KeyContext = Pick<Context, 'db' | 'settings' | 'secrets'>

/**
 * Creates the next signing key if it is due, and deletes keys whose tokens have all expired. Every instance can call
 * this function; an advisory lock ensures that one instance runs it at a time. Returns the number of created and
 * deleted keys.
 */
export function rotateSigningKeys({ db, settings, secrets }: KeyContext): Promise<number> {
  return transaction(db, async (trx) => {
    await lockSigningKeys(trx)
    const now = await databaseTime(trx)
    const keys = await listSigningKeys(trx)
    // If SESSION_SECRET was changed, no stored key can be decrypted, so a new key must sign immediately.
    const isUsable = await canUnsealAny(secrets.signingKeys, keys)
    const signsFrom = nextKeySignsFrom(isUsable ? keys : [], now, settings)
    if (signsFrom) await insertSigningKey(trx, await createSigningKey(secrets.signingKeys, signsFrom))
    // Even if no key can be decrypted, keys that have signed tokens are kept, because they are needed to verify these
    // tokens.
    const obsolete = isUsable ? expiredKeys(keys, now, settings) : pendingKeys(keys, now)
    await deleteSigningKeys(trx, obsolete)
    return obsolete.length + (signsFrom ? 1 : 0)
  })
}

async function canUnsealAny(secret: Uint8Array, keys: readonly SigningKey[]): Promise<boolean> {
  const unsealed = await Promise.all(keys.map((key) => unsealPrivateKey(secret, key)))
  return unsealed.some((key) => key !== null)
}
