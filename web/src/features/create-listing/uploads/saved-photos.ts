import { createStore, del, entries, get, set } from 'idb-keyval'
import { photoDatabase, photoTable } from '../../../session/clear-saved-photos.ts'
import type { Photo } from './photo.ts'

const maxAgeMs = 7 * 24 * 60 * 60 * 1000

interface SavedPhoto {
  owner: string
  file: Blob
  savedAt: number
}

const store = createStore(photoDatabase, photoTable)

/**
 * Runs an IndexedDB operation. Returns undefined if storage is disabled or full. The photos are then kept only in
 * memory and are lost on a reload.
 */
async function tryStorage<Result>(access: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await access()
  } catch {
    return undefined
  }
}

/** Stores a photo until the listing is created, so that a reload or a sign-in does not lose it. */
export async function savePhoto({ key, owner, file }: Pick<Photo, 'key' | 'owner'> & { file: Blob }): Promise<void> {
  const saved: SavedPhoto = { owner, file, savedAt: Date.now() }
  await tryStorage(() => set(key, saved, store))
}

export async function readSavedPhoto(key: string, owner: string): Promise<Blob | null> {
  const saved = await tryStorage(() => get<SavedPhoto>(key, store))
  return saved?.owner === owner ? saved.file : null
}

export async function deleteSavedPhoto(key: string): Promise<void> {
  await tryStorage(() => del(key, store))
}

/** Deletes photos that were stored more than a week ago, because their drafts were probably abandoned. */
export async function deleteOldPhotos(): Promise<void> {
  const saved = (await tryStorage(() => entries<string, SavedPhoto>(store))) ?? []
  const old = saved.filter(([, { savedAt }]) => savedAt < Date.now() - maxAgeMs)
  await Promise.all(old.map(([key]) => deleteSavedPhoto(key)))
}
