import { idOfKey } from '../picture.ts'
import type { ListedObject, PictureStore } from '../store/picture-store.ts'
import type { Db } from '../../db.ts'
import { createFileCheck } from './find-missing-files.ts'
import { missingObjects, objectsWithoutRow } from './metrics.ts'
import { findStates, type StoredState } from './queue.repo.ts'

const minuteMs = 60_000

// Minimum age of deleted objects: the upload or processing of younger objects might not have finished.
const minAgeMs = 60 * minuteMs
// Orphans older than this are counted in a metric, because an earlier sweep should have deleted them.
const overdueMs = 24 * 60 * minuteMs

/**
 * Deletes the stored objects that belong to no picture, such as files left by a killed worker. Also updates the metric
 * for missing files of ready pictures. Returns the number of deleted objects.
 */
export async function deleteOrphans({ db, store }: { db: Db; store: PictureStore }, now = Date.now()): Promise<number> {
  const files = createFileCheck({ db, store })
  let deleted = 0
  let overdue = 0
  for (const prefix of ['uploads/', 'pictures/']) {
    let after: string | undefined
    for (;;) {
      const objects = await store.list(prefix, after)
      if (objects.length === 0) break
      after = objects.at(-1)?.key
      if (prefix === 'pictures/') await files.add(objects)
      const old = objects.filter(({ modifiedAt }) => now - modifiedAt.getTime() > minAgeMs)
      const orphans = await findOrphans(db, old)
      overdue += orphans.filter(({ modifiedAt }) => now - modifiedAt.getTime() > overdueMs).length
      await store.remove(orphans.map(({ key }) => key))
      deleted += orphans.length
    }
  }
  objectsWithoutRow.set(overdue)
  missingObjects.set(await files.finish())
  return deleted
}

async function findOrphans(db: Db, objects: readonly ListedObject[]): Promise<ListedObject[]> {
  if (objects.length === 0) return []
  const states = await findStates(db, [...new Set(objects.map(pictureIdOf))])
  return objects.filter((object) => !isWanted(object.key, states.get(pictureIdOf(object))))
}

function isWanted(key: string, picture: StoredState | undefined): boolean {
  // A `.part` file older than `minAgeMs` was left by a crash, so it is an orphan even if its picture exists.
  if (picture === undefined || key.endsWith('.part')) return false
  const isProcessed = picture.state === 'ready' || picture.state === 'refused'
  if (key.startsWith('uploads/')) return !isProcessed
  return picture.hash === null
    ? picture.state === 'uploaded'
    : key.startsWith(`pictures/${picture.id}-${picture.hash}/`)
}

function pictureIdOf({ key }: ListedObject): string {
  return idOfKey(key.slice(key.indexOf('/') + 1))
}
