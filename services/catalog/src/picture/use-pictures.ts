import type { StoredPicture } from '@marketplace/contracts/pictures.ts'
import { conflict, invalid, type DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Db, Trx } from '../db.ts'
import { idOfKey, toStored, type Picture } from './picture.ts'
import { addUses, deleteUses, endUses, findUnneededPictureIds } from './picture-uses.repo.ts'
import { findOwnPictures, lockOwnPictures } from './pictures.repo.ts'

/** A picture that a seller chose for a listing: an uploaded picture (`id`) or an external picture (`url`). */
export type ChosenPicture = { id: string; alt: string | null } | { url: string; alt: string | null }

/**
 * Returns the chosen pictures in the form in which listings store them. Throws `invalid` (400) if a picture is unknown
 * or belongs to another person, and `picture_not_ready` (409) if it has not been processed. `usePictures` repeats these
 * checks, with the pictures locked, when the listing is stored.
 */
export async function resolvePictures(
  db: Db,
  uploaderId: string,
  chosen: readonly ChosenPicture[],
): Promise<StoredPicture[]> {
  const ids = chosen.flatMap((picture) => ('id' in picture ? picture.id : []))
  const found = new Map((await findOwnPictures(db, ids, uploaderId)).map((picture) => [picture.id, picture]))
  return chosen.map((picture) => {
    if (!('id' in picture)) return picture
    const stored = toStored(requirePicture(found.get(picture.id)), picture.alt)
    if (!stored) throw notReady()
    return stored
  })
}

interface PicturedListing {
  id: string
  sellerId: string
  termsVersion: number
  pictures: readonly StoredPicture[]
}

/**
 * Stores which uploaded pictures a new or edited listing uses. `before` is the listing before the edit. Pictures that
 * only revisions have stay in use until these are deleted. Throws the same errors as `resolvePictures`.
 */
export async function usePictures(
  trx: Trx,
  listing: PicturedListing,
  before: PicturedListing | null = null,
): Promise<void> {
  const ids = uploadedIds(listing)
  if (before) await endUses(trx, before, { before: uploadedIds(before), after: ids })
  const unneeded = before ? await findUnneededPictureIds(trx, listing.id, ids) : []
  const locked = await lockOwnPictures(trx, [...ids, ...unneeded], listing.sellerId)
  const found = new Map(locked.map((picture) => [picture.id, picture]))
  for (const id of ids) if (requirePicture(found.get(id)).state !== 'ready') throw notReady()
  if (ids.length > 0) await addUses(trx, listing.id, ids)
  if (unneeded.length > 0) await deleteUses(trx, listing.id, unneeded)
}

function uploadedIds({ pictures }: PicturedListing): string[] {
  return [...new Set(pictures.flatMap((picture) => ('key' in picture ? idOfKey(picture.key) : [])))]
}

function requirePicture(picture: Picture | undefined): Picture {
  if (!picture) throw invalid('pictures', 'Choose pictures that you uploaded')
  return picture
}

function notReady(): DomainError {
  return conflict('picture_not_ready', 'A photo is still being prepared. Please try again shortly.')
}
