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
 * Divides search results that are sorted by relevance into sections: matches in titles, matches in descriptions, and
 * related items (matches by synonym or category). For a very common word, the ranked matches are followed by older
 * ones, in which titles and descriptions are mixed; these form the section `More results`. Results with any other sort
 * order, or of a corrected search, are one section.
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
