import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, DraftRow, Trx } from '../db.ts'

export function findDrafts(db: Db, ownerId: string, limit: number): Promise<DraftRow[]> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the ids of a person's drafts, at most `limit`. */
export async function findDraftIds(trx: Trx, ownerId: string, limit: number): Promise<string[]> {
  const rows = await trx.selectFrom('drafts').select('id').where('owner_id', '=', ownerId).limit(limit).execute()
  return rows.map(({ id }) => id)
}

interface NewSave {
  id: string
  ownerId: string
  body: object
}

/** Returns when a person's draft was last saved, and whether its stored body equals `body`. */
export async function findLastSave(
  trx: Trx,
  { id, ownerId, body }: NewSave,
): Promise<{ savedAt: Date; isSame: boolean } | undefined> {
  const { rows } = await sql<{ savedAt: Date; isSame: boolean }>`
    select updated_at as "savedAt", body = ${JSON.stringify(body)}::jsonb as "isSame" from drafts
    where id = ${id} and owner_id = ${ownerId}`.execute(trx)
  return rows[0]
}

/** Stores a draft. Returns undefined if the id belongs to another person's draft. */
export function upsertDraft(trx: Trx, { id, ownerId, body }: NewSave): Promise<DraftRow | undefined> {
  const saved = {
    body: JSON.stringify(body),
    // Each save gets a distinct time in ms, because clients identify a save by its time.
    updated_at: sql<Date>`greatest(clock_timestamp(), drafts.updated_at + interval '1 millisecond')`,
  }
  return trx
    .insertInto('drafts')
    .values({ id, owner_id: ownerId, ...saved, updated_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(saved).where('drafts.owner_id', '=', ownerId))
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a person's draft. Returns false if the person has no draft with this id. */
export async function deleteDraft(trx: Trx, id: string, ownerId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('drafts')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const retentionMs = 60 * 24 * 3_600_000
const maxDeleted = 1000

/** Deletes a batch of drafts that were saved 60 days ago or earlier. */
export function deleteExpiredDrafts(db: Db): Promise<number> {
  return deleteExpired(db, { table: 'drafts', time: 'updated_at', ageMs: retentionMs, limit: maxDeleted })
}
