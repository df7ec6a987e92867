import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { Picture } from './picture.ts'
import { toPicture } from './picture-row.ts'

/** Stores an announced picture. The worker looks for its object 2 minutes later, if the browser never reports the upload. */
export async function insertPicture(
  trx: Trx,
  { id, uploaderId, contentType, byteSize }: Pick<Picture, 'id' | 'uploaderId' | 'contentType' | 'byteSize'>,
): Promise<void> {
  await sql`
    insert into pictures (id, uploader_id, state, content_type, byte_size, next_at)
    values (${id}, ${uploaderId}, 'announced', ${contentType}, ${byteSize}, clock_timestamp() + interval '2 minutes')
  `.execute(trx)
}

/** Returns a picture of this uploader that is not being deleted. */
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

/** Records that an announced picture was uploaded. Returns false if it is no longer announced. */
export async function markUploaded(db: Db | Trx, id: string, etag: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pictures set state = 'uploaded', etag = ${etag}, attempts = 0, next_at = clock_timestamp()
    where id = ${id} and state = 'announced'`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Hands pictures to the worker, which deletes their objects and then their rows. */
export async function markDeleting(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    update pictures set state = 'deleting', reason = null, unused_since = null, next_at = clock_timestamp()
    where id = any(${ids}::uuid[])`.execute(trx)
}

/** The channel on which the worker listens for work. A lost notification delays work until the worker's next poll. */
export const pictureChannel = 'catalog_pictures'

export async function wakeWorker(db: Db): Promise<void> {
  await sql`select pg_notify(${pictureChannel}, '')`.execute(db)
}

/** Gives ready pictures without a use for `unusedMs` to the worker for deletion. Returns their number. */
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
