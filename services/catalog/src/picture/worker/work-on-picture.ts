import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { Db } from '../../db.ts'
import { filesPrefix, pictureKey, uploadKey } from '../picture.ts'
import { markUploaded } from '../pictures.repo.ts'
import { ObjectChanged, type PictureStore } from '../store/picture-store.ts'
import type { WorkerSettings } from './config.ts'
import { readySeconds, refusals } from './metrics.ts'
import { PictureRefused, type ProcessedPicture, type ProcessPicture } from './process-picture.ts'
import {
  deleteRow,
  isReady,
  markReady,
  markRefused,
  postponePicture,
  refusedRetentionMs,
  type ClaimedPicture,
} from './queue.repo.ts'
import type { PictureReview } from './review.ts'

export interface WorkerContext {
  db: Db
  store: PictureStore
  settings: WorkerSettings
  log: Log
  process: ProcessPicture
  review: PictureReview
}

const headTimeoutMs = 5000
const maxAttempts = 3

// Ages of an announced picture, in ms, at which the worker checks whether the file has arrived, because the browser
// might never report the upload.
const checksAtMs = [2 * 60_000, 10 * 60_000, 60 * 60_000]

/** Performs the next step for a claimed picture, or postpones the picture if the step fails. */
export async function workOnPicture(ctx: WorkerContext, picture: ClaimedPicture): Promise<void> {
  const { db, log, settings } = ctx
  try {
    await stepOf(ctx, picture)
  } catch (error) {
    log.warn({ err: error, pictureId: picture.id, state: picture.state }, 'picture postponed')
    await postponePicture(db, picture, settings.PICTURE_RETRY_MS)
  }
}

function stepOf(ctx: WorkerContext, picture: ClaimedPicture): Promise<void> {
  if (picture.state === 'announced') return lookForUpload(ctx, picture)
  return picture.state === 'uploaded' ? makeReady(ctx, picture) : deletePicture(ctx, picture)
}

async function lookForUpload(ctx: WorkerContext, picture: ClaimedPicture): Promise<void> {
  const { db, store } = ctx
  const object = await store.head(uploadKey(picture), headTimeoutMs)
  if (object?.byteSize === picture.byteSize && object.contentType === picture.contentType)
    return void (await markUploaded(db, picture.id, object.etag))
  if (picture.ageMs >= refusedRetentionMs) return deletePicture(ctx, picture)
  const next = checksAtMs.find((atMs) => atMs > picture.ageMs) ?? refusedRetentionMs
  await postponePicture(db, picture, next - picture.ageMs)
}

async function makeReady(ctx: WorkerContext, picture: ClaimedPicture): Promise<void> {
  const { db, store } = ctx
  try {
    // Refuses a picture whose processing crashed the worker several times, because it would otherwise crash workers
    // forever.
    if (picture.attempts > maxAttempts) throw new PictureRefused('unreadable')
    const file = await store.read(uploadKey(picture), picture.etag ?? '')
    const processed = await ctx.process(file, picture.contentType)
    await publish(ctx, picture, processed)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) throw error
    refusals.inc({ reason })
    await markRefused(db, picture, reason)
  }
  await store.remove([uploadKey(picture)])
}

// Stores all files before the picture becomes ready. The file keys do not depend on the attempt, so a repeated attempt
// replaces the files.
async function publish(ctx: WorkerContext, picture: ClaimedPicture, processed: ProcessedPicture): Promise<void> {
  const { db, store } = ctx
  const result = await ctx.review.review(processed)
  if (result === 'blocked') throw new PictureRefused('not_allowed')
  const folder = `pictures/${pictureKey(picture.id, processed.facts.hash)}`
  for (const { name, contentType, body } of processed.files) await store.write(`${folder}/${name}`, contentType, body)
  const isMarked = await markReady(db, picture.id, processed.facts, result === 'flagged')
  if (isMarked) return readySeconds.observe((picture.waitedMs + performance.now() - picture.claimedAt) / 1000)
  // The picture was deleted or refused during processing, unless another worker has made the picture ready.
  if (!(await isReady(db, picture.id))) await removeFiles(ctx, picture.id)
}

// Returns the reason for refusing the picture, or null if the store or the database failed and the picture must be
// retried.
function reasonOf(error: unknown) {
  if (error instanceof PictureRefused) return error.reason
  return error instanceof ObjectChanged ? ('unreadable' as const) : null
}

async function deletePicture(ctx: WorkerContext, picture: ClaimedPicture): Promise<void> {
  await ctx.store.remove([uploadKey(picture)])
  await removeFiles(ctx, picture.id)
  await deleteRow(ctx.db, picture.id)
}

async function removeFiles({ store }: WorkerContext, id: string): Promise<void> {
  const objects = await store.list(filesPrefix(id))
  await store.remove(objects.map(({ key }) => key))
}
