import type { CardListing } from '../../../api/client/types.ts'

/**
 * Minimum number of pictures in the background of the hero. With fewer pictures the background would have gaps, so it shows
 * none.
 */
const minPictures = 5
const maxPictures = 9

/** Returns the pictures of up to nine listings. Returns none if there are fewer than five. */
export function heroPictures(listings: CardListing[]): string[] {
  const all = [...new Set(listings.flatMap(({ picture }) => picture ?? []))]
  return all.length < minPictures ? [] : all.slice(0, maxPictures)
}
