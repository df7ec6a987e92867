import type { CardListing } from '../../../api/client/types.ts'
import { factsOf, type ShownPicture } from '../../../rules/pictures.ts'

/**
 * Minimum number of pictures beside the words of the hero. With fewer pictures the wall would have gaps, so the hero shows
 * none.
 */
const minPictures = 5
const maxPictures = 9

export type HeroPicture = Omit<ShownPicture, 'alt'>

/** Returns the pictures of up to nine listings, without those in `broken`. Returns none if there are fewer than five. */
export function heroPictures(listings: CardListing[], broken: string[] = []): HeroPicture[] {
  const byUrl = new Map<string, HeroPicture>()
  for (const { picture: url, picture_facts } of listings) {
    if (url !== null && !broken.includes(url) && !byUrl.has(url)) byUrl.set(url, { url, facts: factsOf(picture_facts) })
  }
  return byUrl.size < minPictures ? [] : [...byUrl.values()].slice(0, maxPictures)
}
