import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/**
 * Replaces the set of pictures that a listing uses. A removed picture is marked as unused, unless another listing uses
 * it. The caller must have locked the pictures.
 */
export async function replaceUses(trx: Trx, listingId: string, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ picture_id: string }>`
    delete from picture_uses where listing_id = ${listingId} and picture_id <> all(${ids}::uuid[])
    returning picture_id`.execute(trx)
  await sql`
    insert into picture_uses (picture_id, listing_id) select id, ${listingId}::uuid from unnest(${ids}::uuid[]) as id
    on conflict do nothing`.execute(trx)
  await sql`update pictures set unused_since = null where id = any(${ids}::uuid[])`.execute(trx)
  await sql`
    update pictures set unused_since = clock_timestamp()
    where id = any(${rows.map((row) => row.picture_id)}::uuid[]) and state = 'ready'
      and not exists (select from picture_uses where picture_id = pictures.id)`.execute(trx)
}

export async function findUsedPictureIds(trx: Trx, listingId: string): Promise<string[]> {
  const rows = await trx.selectFrom('picture_uses').select('picture_id').where('listing_id', '=', listingId).execute()
  return rows.map((row) => row.picture_id)
}

export async function isPictureUsed(trx: Trx, pictureId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('picture_uses')
    .select('listing_id')
    .where('picture_id', '=', pictureId)
    .executeTakeFirst()
  return row !== undefined
}
