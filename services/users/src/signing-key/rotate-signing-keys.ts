import { databaseTime, transaction } from '@marketplace/kit/db.ts'
import type { Context } from '../context.ts'
import { makeSigningKey, openSigningKey } from './sealed-key.ts'
import { endedKeys, nextKeySignsFrom, pendingKeys } from './signing-key.ts'
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKey,
} from './signing-keys.repo.ts'

type KeyContext = Pick<Context, 'db' | 'settings' | 'secrets'>

/** Makes the next key when it is time and drops those whose tokens are over; any pod, one at a time. Answers how many. */
export function rotateSigningKeys({ db, settings, secrets }: KeyContext): Promise<number> {
  return transaction(db, async (trx) => {
    await lockSigningKeys(trx)
    const now = await databaseTime(trx)
    const keys = await listSigningKeys(trx)
    // After a change of SESSION_SECRET no key can be opened: a new one has to sign at once, and no other takes its turn.
    const isUsable = await isAnyOpen(secrets.signingKeys, keys)
    const signsFrom = nextKeySignsFrom(isUsable ? keys : [], now, settings)
    if (signsFrom) await insertSigningKey(trx, await makeSigningKey(secrets.signingKeys, signsFrom))
    const ended = isUsable ? endedKeys(keys, now, settings) : pendingKeys(keys, now)
    await deleteSigningKeys(trx, ended)
    return ended.length + (signsFrom ? 1 : 0)
  })
}

async function isAnyOpen(secret: Uint8Array, keys: readonly SigningKey[]): Promise<boolean> {
  const opened = await Promise.all(keys.map((key) => openSigningKey(secret, key)))
  return opened.some((key) => key !== null)
}
