import { conflict, missing } from '@marketplace/kit/errors/problem.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import type { Trx } from '../db.ts'
import { isPictureUsed } from './picture-uses.repo.ts'
import { lockOwnPictures, markDeleting } from './pictures.repo.ts'

/**
 * Marks a picture for deletion by the worker. Throws `missing` (404), or `in_use` (409) while a listing uses the
 * picture.
 */
export async function deletePicture(trx: Trx, id: string, uploaderId: string): Promise<void> {
  const [picture] = isId(id) ? await lockOwnPictures(trx, [id], uploaderId) : []
  if (!picture) throw missing('picture')
  if (await isPictureUsed(trx, id)) throw conflict('in_use', 'A listing uses this photo.')
  await markDeleting(trx, [id])
}
