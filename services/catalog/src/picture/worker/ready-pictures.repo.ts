import type { Db } from '../../db.ts'
import type { Picture, PictureFacts } from '../picture.ts'
import { toPicture } from '../picture-row.ts'

export type ReadyPicture = Pick<Picture, 'id'> & Pick<PictureFacts, 'hash' | 'widths' | 'formats'>

/**
 * Returns the ready pictures with ids between `afterId` and `beforeId` (both excluded), in the order of their ids. Null
 * means no bound.
 */
export async function findReadyPictures(
  db: Db,
  { afterId, beforeId, limit }: { afterId: string | null; beforeId: string | null; limit: number },
): Promise<ReadyPicture[]> {
  let query = db.selectFrom('pictures').selectAll().where('state', '=', 'ready').orderBy('id').limit(limit)
  if (afterId !== null) query = query.where('id', '>', afterId)
  if (beforeId !== null) query = query.where('id', '<', beforeId)
  return (await query.execute()).map(toPicture).flatMap(toReady)
}

export async function findReadyPicture(db: Db, id: string): Promise<ReadyPicture | undefined> {
  const row = await db
    .selectFrom('pictures')
    .selectAll()
    .where('state', '=', 'ready')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toReady(toPicture(row))[0]
}

function toReady({ id, facts }: Picture): ReadyPicture[] {
  return facts === null ? [] : [{ id, hash: facts.hash, widths: facts.widths, formats: facts.formats }]
}
