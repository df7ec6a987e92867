import type { Listing } from '../../../api/client/types.ts'

/**
 * Minimum number of pictures in the background of the hero. With fewer pictures the background would have gaps, so it shows
 * none.
 */
const minPictures = 5
const maxPictures = 9

/**
 * Returns up to nine pictures: first the first picture of each listing, then the other pictures. Returns none if there are
 * fewer than five.
 */
export function heroPictures(listings: Listing[]): string[] {
  const first = listings.flatMap(({ image_urls_parsed: images }) => images.slice(0, 1))
  const others = listings.flatMap(({ image_urls_parsed: images }) => images.slice(1))
  const all = [...new Set([...first, ...others])]
  return all.length < minPictures ? [] : all.slice(0, maxPictures)
}
