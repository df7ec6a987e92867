import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { Picture } from './picture.ts'
import { toPicture } from './picture-row.ts'

/**
 * Stores an announced picture. The worker checks after 2 minutes whether the file has arrived, unless the browser has
 * already reported the upload.
 */
export async function insertPicture(
  trx: Trx,
  { id, uploaderId, contentType, byteSize }: Pick<Picture, 'id' | 'uploaderId' | 'contentType' | 'byteSize'>,
): Promise<void> {
  await sql`
    insert into pictures (id, uploader_id, state, content_type, byte_size, next_at)
    values (${id}, ${uploaderId}, 'announced', ${contentType}, ${byteSize}, clock_timestamp() + interval '2 minutes')
  `.execute(trx)
}

/** Returns the picture if it belongs to this uploader and is not being deleted. */
export async function findOwnPicture(db: Db | Trx, id: string, uploaderId: string): Promise<Picture | undefined> {
  const [picture] = await findOwnPictures(db, [id], uploaderId)
  return picture
}

export async function findOwnPictures(db: Db | Trx, ids: readonly string[], uploaderId: string): Promise<Picture[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('pictures')
    .selectAll()
    .where('id', 'in', ids)
    .where('uploader_id', '=', uploaderId)
    .where('state', '<>', 'deleting')
    .execute()
  return rows.map(toPicture)
}

/** Locks pictures of this uploader in the order of their ids, so that concurrent transactions cannot deadlock. */
export async function lockOwnPictures(trx: Trx, ids: readonly string[], uploaderId: string): Promise<Picture[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom('pictures')
    .selectAll()
    .where('id', 'in', ids)
    .where('uploader_id', '=', uploaderId)
    .where('state', '<>', 'deleting')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(toPicture)
}

/** Changes the state of a picture from `announced` to `uploaded`. Returns false if the picture is in another state. */
export async function markUploaded(db: Db | Trx, id: string, etag: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pictures set state = 'uploaded', etag = ${etag}, attempts = 0, next_at = clock_timestamp()
    where id = ${id} and state = 'announced'`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Marks pictures for deletion. The worker then deletes their files and their rows. */
export async function markDeleting(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    update pictures set state = 'deleting', reason = null, unused_since = null, next_at = clock_timestamp()
    where id = any(${ids}::uuid[])`.execute(trx)
}

/**
 * The NOTIFY channel that wakes the picture worker. If a notification is lost, the work waits for the worker's next
 * poll.
 */
export const pictureChannel = 'catalog_pictures'

export async function wakeWorker(db: Db): Promise<void> {
  await sql`select pg_notify(${pictureChannel}, '')`.execute(db)
}

/** Marks ready pictures for deletion by the worker if no listing has used them for `unusedMs`. Returns their number. */
export async function deleteUnusedPictures(db: Db, unusedMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update pictures set state = 'deleting', unused_since = null, next_at = clock_timestamp()
    where id = any(array(
      select id from pictures
      where unused_since <= statement_timestamp() - make_interval(secs => ${unusedMs / 1000})
        and not exists (select from picture_uses where picture_id = pictures.id)
      order by unused_since limit 100 for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
