import { sql } from 'kysely'
import type { JWK } from 'jose'
import type { Db, Trx } from '../db.ts'

export interface SigningKey {
  id: string
  publicJwk: JWK
  sealed: string
  signsFrom: Date
}

/** Takes the advisory lock for key rotation until the transaction ends. */
export async function lockSigningKeys(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('users.signing-keys', 0))`.execute(trx)
}

/** Returns all keys, oldest first. */
export function listSigningKeys(db: Db | Trx): Promise<SigningKey[]> {
  return db
    .selectFrom('signing_keys')
    .select(['id', 'public_jwk as publicJwk', 'sealed', 'signs_from as signsFrom'])
    .orderBy('signs_from')
    .execute()
}

export async function insertSigningKey(trx: Trx, { id, publicJwk, sealed, signsFrom }: SigningKey): Promise<void> {
  await trx
    .insertInto('signing_keys')
    .values({ id, public_jwk: JSON.stringify(publicJwk), sealed, signs_from: signsFrom })
    .execute()
}

export async function deleteSigningKeys(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('signing_keys').where('id', 'in', ids).execute()
}
