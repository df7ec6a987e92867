import { isId } from '@marketplace/kit/values/ids.ts'
import type { Db } from '../../db.ts'
import { filesOf, filesPrefix, idOfKey } from '../picture.ts'
import type { ListedObject, PictureStore } from '../store/picture-store.ts'
import { findReadyPicture, findReadyPictures, type ReadyPicture } from './ready-pictures.repo.ts'

const folder = 'pictures/'
const batchSize = 500
// After this many, the pass stops counting: the store as a whole has lost files.
const maxCounted = 1000

/** Compares the stored objects with the ready pictures. Both come in the order of the pictures' ids. */
export interface FileCheck {
  /** Takes the next objects below `pictures/`, in the order of their keys. */
  add(objects: readonly ListedObject[]): Promise<void>
  /** Returns how many files of ready pictures are missing, at most about 1,000. No more objects are added. */
  finish(): Promise<number>
}

export function createFileCheck({ db, store }: { db: Db; store: PictureStore }): FileCheck {
  // The keys of pictures that are not compared yet, by the picture's id.
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
      // The files of the last picture may continue in the next objects.
      if (lastId !== null) await compareBefore(lastId)
    },
    async finish() {
      await compareBefore(null)
      return missing
    },
  }
}

// Lists the files again, because the picture may have become ready after its objects were listed. A picture that was
// deleted meanwhile misses none.
async function countMissing({ db, store }: { db: Db; store: PictureStore }, { id }: ReadyPicture): Promise<number> {
  const keys = new Set((await store.list(filesPrefix(id))).map(({ key }) => key))
  const picture = await findReadyPicture(db, id)
  return picture ? filesOf(picture).filter((key) => !keys.has(key)).length : 0
}
