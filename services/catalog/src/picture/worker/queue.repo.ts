import { transaction } from '@marketplace/kit/db/db.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import type { Db, PictureRow } from '../../db.ts'
import type { Picture, PictureFacts, PictureState, RefusalReason } from '../picture.ts'
import { toPicture } from '../picture-row.ts'

export interface ClaimedPicture extends Picture {
  /** Number of attempts to process the picture, including this one. */
  attempts: number
  ageMs: number
  /** How long the picture waited in the queue before this claim, in ms. */
  waitedMs: number
  /** Time of the claim by `performance.now()`. */
  claimedAt: number
}

type ClaimedRow = PictureRow & { age_ms: number; waited_ms: number }

/**
 * Claims the picture that has waited longest. The claim lasts `claimMs`, and counts as an attempt even if the picture
 * then crashes the worker.
 */
export async function claimPicture(db: Db, claimMs: number): Promise<ClaimedPicture | undefined> {
  // Uses `statement_timestamp()` in the condition, because Postgres cannot use the index `pictures_due` with the volatile
  // `clock_timestamp()`.
  const { rows } = await sql<ClaimedRow>`
    update pictures set
      next_at = clock_timestamp() + make_interval(secs => ${claimMs / 1000}),
      attempts = case when state = 'uploaded' and attempts < 3 then attempts + 1 else attempts end
    from (
      select id as due_id, next_at as due_at, attempts as attempts_before from pictures
      where state <> 'ready' and next_at <= statement_timestamp()
      order by next_at limit 1 for update skip locked
    ) as due
    where id = due.due_id
    returning pictures.*, due.attempts_before + 1 as attempts,
      (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms,
      (extract(epoch from clock_timestamp() - due.due_at) * 1000)::float8 as waited_ms`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { attempts, age_ms: ageMs, waited_ms: waitedMs } = row
  return { ...toPicture(row), attempts, ageMs, waitedMs, claimedAt: performance.now() }
}

/** Changes the state of a picture from `uploaded` to `ready`. Returns false if the picture is in another state. */
export async function markReady(db: Db, id: string, facts: PictureFacts, isFlagged: boolean): Promise<boolean> {
  const { hash, width, height, formats, widths, thumbhash, phash } = facts
  return transaction(db, async (trx) => {
    const { numAffectedRows } = await sql`
      update pictures set state = 'ready', hash = ${hash}, width = ${width}, height = ${height},
        formats = ${formats}::text[], widths = ${widths}::integer[], thumbhash = ${thumbhash}, phash = ${phash}::bit(64),
        is_flagged = ${isFlagged}, unused_since = clock_timestamp(), next_at = clock_timestamp()
      where id = ${id} and state = 'uploaded'`.execute(trx)
    if (Number(numAffectedRows ?? 0) === 0) return false
    await sql`
      insert into picture_bands (band, bits, picture_id)
      select band, substring(${phash}::bit(64) from band * 16 + 1 for 16)::bit(16)::integer, ${id}::uuid
      from generate_series(0, 3) as band`.execute(trx)
    return true
  })
}

export async function isReady(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('pictures').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state === 'ready'
}

/**
 * Refuses an uploaded picture. The row is kept until 24 hours after the picture's creation, so that the uploader can
 * read the reason.
 */
export async function markRefused(db: Db, { id, ageMs }: ClaimedPicture, reason: RefusalReason): Promise<void> {
  const remainingMs = Math.max(0, refusedRetentionMs - ageMs)
  await sql`
    update pictures set state = 'refused', reason = ${reason},
      next_at = clock_timestamp() + make_interval(secs => ${remainingMs / 1000})
    where id = ${id} and state = 'uploaded'`.execute(db)
}

/** Age, in ms, at which the row of a refused or never uploaded picture is deleted. */
export const refusedRetentionMs = 24 * 3_600_000

/**
 * Makes a claimed picture due again after `delayMs`. The claim does not count as an attempt, because the picture did
 * not cause the delay.
 */
export async function postponePicture(db: Db, { id, state }: ClaimedPicture, delayMs: number): Promise<void> {
  const attempt = state === 'uploaded' ? 1 : 0
  await sql`
    update pictures set attempts = greatest(attempts - ${attempt}, 0),
      next_at = clock_timestamp() + make_interval(secs => ${delayMs / 1000})
    where id = ${id} and state = ${state}`.execute(db)
}

export async function deleteRow(db: Db, id: string): Promise<void> {
  await sql`delete from pictures where id = ${id} and state in ('announced', 'refused', 'deleting')`.execute(db)
}

export interface StoredState {
  id: string
  state: PictureState
  hash: string | null
}

/** Returns the states of the pictures with these ids. Strings that are not valid ids are ignored. */
export async function findStates(db: Db, ids: readonly string[]): Promise<Map<string, StoredState>> {
  const known = ids.filter(isId)
  if (known.length === 0) return new Map()
  const rows = await db.selectFrom('pictures').select(['id', 'state', 'hash']).where('id', 'in', known).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns how long, in seconds, the oldest upload has been waiting for processing, or 0 if no upload waits. */
export async function findOldestWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(greatest(extract(epoch from clock_timestamp() - min(next_at)), 0), 0)::float8 as seconds
    from pictures where state = 'uploaded'`.execute(db)
  return rows[0]?.seconds ?? 0
}
