import { isId } from '@marketplace/kit/values/ids.ts'
import type { Db } from '../../db.ts'
import { filesOf, filesPrefix, idOfKey } from '../picture.ts'
import type { ListedObject, PictureStore } from '../store/picture-store.ts'
import { findReadyPicture, findReadyPictures, type ReadyPicture } from './ready-pictures.repo.ts'

const folder = 'pictures/'
const batchSize = 500
// Counting stops after this many missing files, because the exact number does not matter after a large loss.
const maxCounted = 1000

/** Counts the missing files of ready pictures. */
export interface FileCheck {
  /** Adds a page of stored objects. Pages must be added in key order, and must cover all objects below `pictures/`. */
  add(objects: readonly ListedObject[]): Promise<void>
  /** Returns the number of missing files, counted up to about 1,000. Must be called after all objects were added. */
  finish(): Promise<number>
}

export function createFileCheck({ db, store }: { db: Db; store: PictureStore }): FileCheck {
  // Keys of the stored files, by picture id, for pictures that were not yet checked for missing files.
  const stored = new Map<string, Set<string>>()
  let comparedId: string | null = null
  let missing = 0

  async function compareBefore(endId: string | null): Promise<void> {
    while (missing < maxCounted) {
      const pictures = await findReadyPictures(db, { afterId: comparedId, beforeId: endId, limit: batchSize })
      for (const picture of pictures) {
        const keys = stored.get(picture.id)
        if (filesOf(picture).some((key) => !keys?.has(key))) missing += await countMissing({ db, store }, picture)
      }
      comparedId = pictures.at(-1)?.id ?? comparedId
      if (pictures.length < batchSize) break
    }
    for (const id of stored.keys()) if (endId === null || id < endId) stored.delete(id)
  }

  return {
    async add(objects) {
      let lastId: string | null = null
      for (const { key } of objects) {
        const id = idOfKey(key.slice(folder.length))
        if (!isId(id)) continue
        stored.set(id, (stored.get(id) ?? new Set()).add(key))
        lastId = id
      }
      // Checks all pictures before `lastId`. The picture `lastId` itself is checked later, because the next page can
      // contain more of its files.
      if (lastId !== null) await compareBefore(lastId)
    },
    async finish() {
      await compareBefore(null)
      return missing
    },
  }
}

// Counts a picture's missing files, or returns 0 if the picture no longer exists. Lists the picture's files again,
// because some might have been stored after the sweep listed the objects.
async function countMissing({ db, store }: { db: Db; store: PictureStore }, { id }: ReadyPicture): Promise<number> {
  const keys = new Set((await store.list(filesPrefix(id))).map(({ key }) => key))
  const picture = await findReadyPicture(db, id)
  return picture ? filesOf(picture).filter((key) => !keys.has(key)).length : 0
}
