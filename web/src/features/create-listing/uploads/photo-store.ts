import { useSyncExternalStore } from 'react'
import type { Photo, PhotoState } from './photo.ts'

/**
 * The photos that were added in this tab, by key. They are kept when the form is closed, so that uploads continue while
 * another page is open.
 */
let photos: ReadonlyMap<string, Photo> = new Map()
/** Used during prerendering, when there are no photos. */
const noPhotos: ReadonlyMap<string, Photo> = new Map()
const listeners = new Set<() => void>()

function replace(next: ReadonlyMap<string, Photo>): void {
  photos = next
  for (const listener of listeners) listener()
}

export function photoOf(key: string): Photo | undefined {
  return photos.get(key)
}

export function setPhoto(photo: Photo): void {
  replace(new Map([...photos, [photo.key, photo]]))
}

/** Changes a photo. Does nothing if the photo has been removed. */
export function changePhoto(key: string, change: Partial<Omit<Photo, 'key'>>): void {
  const photo = photos.get(key)
  if (photo !== undefined) setPhoto({ ...photo, ...change })
}

export function setState(key: string, state: PhotoState): void {
  changePhoto(key, { state })
}

export function dropPhoto(key: string): void {
  const preview = photos.get(key)?.preview
  if (preview) URL.revokeObjectURL(preview)
  replace(new Map([...photos].filter(([other]) => other !== key)))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function usePhotos(): ReadonlyMap<string, Photo> {
  return useSyncExternalStore(
    subscribe,
    () => photos,
    () => noPhotos,
  )
}
