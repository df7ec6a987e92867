import { pictureFile, usualWidth, type PictureFormat, type StoredPicture } from '@marketplace/contracts/pictures.ts'

/**
 * `announced`: the upload form was signed. `uploaded`: the original file is stored. `ready`: all processed files are
 * stored. `refused`: the picture has no files, and `reason` says why. `deleting`: the worker deletes the files, then
 * the row.
 */
export type PictureState = 'announced' | 'uploaded' | 'ready' | 'refused' | 'deleting'

export type RefusalReason = 'unreadable' | 'wrong_type' | 'too_small' | 'too_large' | 'not_allowed'

/** The results of processing a picture. All of them are stored in one step. */
export interface PictureFacts {
  /** First 16 hex digits of the SHA-256 of the largest JPEG. */
  hash: string
  width: number
  height: number
  formats: PictureFormat[]
  widths: number[]
  thumbhash: Buffer
  /** Perceptual hash as a string of 64 binary digits. */
  phash: string
}

export interface Picture {
  id: string
  uploaderId: string
  state: PictureState
  contentType: PictureType
  byteSize: number
  etag: string | null
  reason: string | null
  facts: PictureFacts | null
}

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'image/avif': 'avif' } as const

export type PictureType = keyof typeof extensions

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const satisfies PictureType[]

/** Maximum size of an uploaded file in bytes: 12 MiB. */
export const maxUploadBytes = 12 * 1024 * 1024

/** How long a signed upload form is valid, in ms. */
export const uploadWindowMs = 10 * 60_000

/** Returns the object key under which the original file of a picture is uploaded. */
export function uploadKey({ id, contentType }: Pick<Picture, 'id' | 'contentType'>): string {
  return `uploads/${id}.${extensions[contentType]}`
}

/** Returns the prefix that the object keys of a picture's processed files have in common. */
export function filesPrefix(id: string): string {
  return `pictures/${id}-`
}

/**
 * Returns the key by which listings refer to a ready picture. The key contains a hash of the picture, so the files
 * stored under a key never change.
 */
export function pictureKey(id: string, hash: string): string {
  return `${id}-${hash}`
}

/**
 * Returns the keys of all files of a ready picture. A 1280-pixel JPEG is always included, even if the picture is
 * narrower.
 */
export function filesOf({
  id,
  hash,
  widths,
  formats,
}: Pick<Picture, 'id'> & Pick<PictureFacts, 'hash' | 'widths' | 'formats'>): string[] {
  const names = widths.flatMap((width) => formats.map((format) => pictureFile(width, format)))
  const folder = `pictures/${pictureKey(id, hash)}`
  return [...new Set([...names, pictureFile(usualWidth, 'jpeg')])].map((name) => `${folder}/${name}`)
}

const idLength = 36

/** Returns the id of the picture with this key. */
export function idOfKey(key: string): string {
  return key.slice(0, idLength)
}

/** Returns the data that a listing stores about the picture, or null if the picture is not ready. */
export function toStored({ id, state, facts }: Picture, alt: string | null): StoredPicture | null {
  if (state !== 'ready' || facts === null) return null
  const { hash, thumbhash, phash: _, ...rest } = facts
  return { key: pictureKey(id, hash), ...rest, thumbhash: thumbhash.toString('base64'), alt }
}
