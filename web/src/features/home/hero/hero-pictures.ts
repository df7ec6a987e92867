import type { CardListing } from '../../../api/client/types.ts'

/**
 * Minimum number of pictures beside the words of the hero. With fewer pictures the wall would have gaps, so the hero shows
 * none.
 */
const minPictures = 5
const maxPictures = 9

/** Returns the pictures of up to nine listings, without those in `broken`. Returns none if there are fewer than five. */
export function heroPictures(listings: CardListing[], broken: string[] = []): string[] {
  const all = [...new Set(listings.flatMap(({ picture }) => picture ?? []))].filter((url) => !broken.includes(url))
  return all.length < minPictures ? [] : all.slice(0, maxPictures)
}
