import { databaseTime } from '@marketplace/kit/db/db.ts'
import { conflict, DomainError } from '@marketplace/kit/errors/problem.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { formatLimit } from '../quota/format-limit.ts'
import { lockQuota } from '../quota/quotas.repo.ts'
import { countPictureUse } from './picture-quota.repo.ts'
import { maxUploadBytes, pictureTypes, uploadKey, uploadWindowMs, type Picture } from './picture.ts'
import { insertPicture } from './pictures.repo.ts'
import type { UploadForm } from './store/picture-store.ts'

export interface Announcement {
  id: string
  upload: UploadForm
  expiresAt: Date
}

/**
 * Creates the row of a picture that is not uploaded yet, and signs the upload form. Throws `picture_too_large` (413),
 * `picture_type` (415), or `too_many_pictures` (409) if the uploader's quota is used up.
 */
export async function announcePicture(
  { settings, store }: Pick<Context, 'settings' | 'store'>,
  trx: Trx,
  { uploaderId, contentType, byteSize }: { uploaderId: string; contentType: string; byteSize: number },
): Promise<Announcement> {
  if (byteSize > maxUploadBytes)
    throw new DomainError('too_large', 'picture_too_large', 'This photo is larger than 12 MB.')
  const type = pictureTypes.find((known) => known === contentType)
  if (!type) throw new DomainError('unsupported', 'picture_type', 'Use a JPEG, PNG, WebP or AVIF photo.')
  await requireQuota(trx, uploaderId, settings)
  const picture: Pick<Picture, 'id' | 'uploaderId' | 'contentType' | 'byteSize'> = {
    id: newId(),
    uploaderId,
    contentType: type,
    byteSize,
  }
  await insertPicture(trx, picture)
  const expiresAt = new Date((await databaseTime(trx)).getTime() + uploadWindowMs)
  const upload = await store.signUpload({ key: uploadKey(picture), contentType: type, byteSize, expiresAt })
  return { id: picture.id, upload, expiresAt }
}

async function requireQuota(trx: Trx, uploaderId: string, settings: Context['settings']): Promise<void> {
  await lockQuota(trx, 'pictures', uploaderId)
  const use = await countPictureUse(trx, uploaderId)
  const limits = [
    [use.today, settings.MAX_PICTURES_PER_DAY, 'photos a day'],
    [use.unused, settings.MAX_UNUSED_PICTURES, 'photos that no listing uses'],
    [use.all, settings.MAX_PICTURES, 'photos'],
  ] as const
  for (const [used, max, what] of limits)
    if (used >= max) throw conflict('too_many_pictures', `You've reached the limit of ${formatLimit(max)} ${what}.`)
}
