import type { CardListing } from '../../../api/client/types.ts'
import type { ListingFilters } from '../../../api/queries/queries.ts'

export interface Section {
  heading: string | null
  listings: CardListing[]
}

const headings = [null, 'Mentioned in the description', 'More results', 'Related items'] as const
const moreResults = 2

function levelOf({ match }: CardListing): number {
  if (match === 'related') return 3
  return match === 'description' ? 1 : 0
}

/**
 * Divides the results of a search that is sorted by relevance into sections: matches in titles, in descriptions, by
 * synonyms or category. Very common words have older matches after the ranked ones, in which titles and descriptions are
 * mixed: they are `More results`. Results of another order or of a corrected search are one section.
 */
export function toSections(listings: CardListing[], { search, sort = 'relevance' }: ListingFilters): Section[] {
  if (search === undefined || sort !== 'relevance') return [{ heading: null, listings }]
  const sections: Section[] = []
  let level = -1
  for (const listing of listings) {
    const own = levelOf(listing)
    const next = own < level ? Math.max(level, moreResults) : own
    if (next !== level) sections.push({ heading: headings[next] ?? null, listings: [] })
    level = next
    sections.at(-1)?.listings.push(listing)
  }
  return sections
}
