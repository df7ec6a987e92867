import type { Listing } from '../../api/types.ts'

/** Fewer would leave holes in the wall. */
const fewestPictures = 5
const mostPictures = 9

/** The first picture of each listing that has one, then their others; none where they are too few. */
export function heroPictures(listings: Listing[]): string[] {
  const first = listings.flatMap(({ image_urls_parsed: images }) => images.slice(0, 1))
  const others = listings.flatMap(({ image_urls_parsed: images }) => images.slice(1))
  const all = [...new Set([...first, ...others])]
  return all.length < fewestPictures ? [] : all.slice(0, mostPictures)
}
