import type { CardListing } from '../../../api/client/types.ts'
import { factsOf, type ShownPicture } from '../../../rules/pictures.ts'

/** Minimum number of pictures in the hero; fewer would leave gaps, so the hero then shows none. */
const minPictures = 5
const maxPictures = 9

export type HeroPicture = Omit<ShownPicture, 'alt'>

/**
 * Returns up to nine pictures of the listings, except those in `broken`. Returns an empty list if there are fewer than
 * five.
 */
export function heroPictures(listings: CardListing[], broken: string[] = []): HeroPicture[] {
  const byUrl = new Map<string, HeroPicture>()
  for (const { picture: url, picture_facts } of listings) {
    if (url !== null && !broken.includes(url) && !byUrl.has(url)) byUrl.set(url, { url, facts: factsOf(picture_facts) })
  }
  return byUrl.size < minPictures ? [] : [...byUrl.values()].slice(0, maxPictures)
}
