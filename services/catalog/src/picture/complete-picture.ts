import { setTimeout as sleep } from 'node:timers/promises'
import { conflict, missing, unavailable, type DomainError } from '@marketplace/kit/errors/problem.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import type { Context } from '../context.ts'
import { uploadKey, type Picture } from './picture.ts'
import { findOwnPicture, markUploaded, wakeWorker } from './pictures.repo.ts'

const headTimeoutMs = 1000
const pollIntervalMs = 200

/**
 * Records that the file of a picture was uploaded. Waits until the worker has made the picture ready or refused it, but
 * at most PICTURE_WAIT_MS. Throws `missing` (404), `not_uploaded` (409) if the announced file is not in the store, or
 * `unavailable` (503) if the store fails.
 */
export async function completePicture(ctx: Context, id: string, uploaderId: string): Promise<Picture> {
  const picture = await readOwnPicture(ctx, id, uploaderId)
  if (picture.state === 'announced') await confirmUpload(ctx, picture)
  const end = performance.now() + ctx.settings.PICTURE_WAIT_MS
  for (;;) {
    const current = await readOwnPicture(ctx, id, uploaderId)
    if (isProcessed(current) || performance.now() >= end) return current
    await sleep(pollIntervalMs)
  }
}

/** Throws `missing` (404) if the picture does not exist or belongs to another person. */
export async function readOwnPicture({ db }: Pick<Context, 'db'>, id: string, uploaderId: string): Promise<Picture> {
  const picture = isId(id) ? await findOwnPicture(db, id, uploaderId) : undefined
  if (!picture) throw missing('picture')
  return picture
}

async function confirmUpload({ db, store }: Pick<Context, 'db' | 'store'>, picture: Picture): Promise<void> {
  const { id, byteSize, contentType } = picture
  const object = await store.head(uploadKey(picture), headTimeoutMs).catch(() => {
    throw unavailable('Uploading photos')
  })
  if (object?.byteSize !== byteSize || object.contentType !== contentType) throw notUploaded()
  await markUploaded(db, id, object.etag)
  await wakeWorker(db)
}

function isProcessed({ state }: Picture): boolean {
  return state === 'ready' || state === 'refused'
}

function notUploaded(): DomainError {
  return conflict('not_uploaded', 'This photo was not uploaded yet.')
}
