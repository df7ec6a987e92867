import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/** Marks pictures as used by the current terms of a listing. The caller must have locked the pictures. */
export async function addUses(trx: Trx, listingId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into picture_uses (picture_id, listing_id) select id, ${listingId}::uuid from unnest(${ids}::uuid[]) as id
    on conflict (picture_id, listing_id) do update set last_terms_version = null`.execute(trx)
  await sql`update pictures set unused_since = null where id = any(${ids}::uuid[])`.execute(trx)
}

/**
 * Stores that the terms of a listing before an edit are the last ones with the pictures that the edit removes. Does the
 * same for pictures whose last terms version is unknown, because an earlier version of this service removed them.
 */
export async function endUses(
  trx: Trx,
  { id, termsVersion }: { id: string; termsVersion: number },
  ids: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  await sql`
    update picture_uses set last_terms_version = ${termsVersion}
    where listing_id = ${id} and picture_id <> all(${ids.after}::uuid[])
      and (last_terms_version is null or picture_id = any(${ids.before}::uuid[]))`.execute(trx)
}

// Selects uses whose pictures no revision has any more. For most uses, the first subquery finds the last revision with
// the picture by the primary key. Once that one is deleted, earlier revisions are left only if a sale refers to them, so
// the second subquery reads few rows. The expression `case` keeps Postgres from reading all revisions for a join.
const isUnneeded = sql<boolean>`
  case when (select terms_version from listing_revisions as last
      where last.listing_id = picture_uses.listing_id and last.terms_version = last_terms_version) is null
    then not exists (select from listing_revisions as earlier
      where earlier.listing_id = picture_uses.listing_id and earlier.terms_version < last_terms_version
        and earlier.image_urls like '%picture:' || picture_id || '-%')
    else false end`

/** Returns the pictures of this listing that no revision has any more, except those in `ids`. */
export async function findUnneededPictureIds(trx: Trx, listingId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ picture_id: string }>`
    select picture_id from picture_uses
    where listing_id = ${listingId} and picture_id <> all(${ids}::uuid[])
      and last_terms_version is not null and ${isUnneeded}`.execute(trx)
  return rows.map((row) => row.picture_id)
}

/**
 * Deletes the uses of these pictures by a listing. Marks a picture as unused, unless another listing uses it. The caller
 * must have locked the pictures.
 */
export async function deleteUses(trx: Trx, listingId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from picture_uses where listing_id = ${listingId} and picture_id = any(${ids}::uuid[])`.execute(trx)
  await sql`
    update pictures set unused_since = clock_timestamp()
    where id = any(${ids}::uuid[]) and state = 'ready'
      and not exists (select from picture_uses where picture_id = pictures.id)`.execute(trx)
}

export async function isPictureUsed(trx: Trx, pictureId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('picture_uses')
    .select('listing_id')
    .where('picture_id', '=', pictureId)
    .executeTakeFirst()
  return row !== undefined
}
