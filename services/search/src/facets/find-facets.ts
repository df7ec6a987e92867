import { conditions } from '@marketplace/contracts/listing.ts'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import { formats, needsWords, type Filters } from '../browse/filters.ts'
import { matchFilters, matchWords } from '../browse/find-match.ts'
import type { Match } from '../browse/matches.repo.ts'
import type { Context } from '../context.ts'
import { correctSearch, spellingsOf } from '../correction/correct-search.ts'
import { withSession, type Session } from '../session.ts'
import { readCategories } from '../suggestion/categories.repo.ts'
import { countFacets, maxCounted, type FacetCounts } from './facets.repo.ts'
import { toFacet, withoutFacets, type Facets } from './facets.ts'

export interface FacetRequest {
  search: string | null
  filters: Filters
}

const maxCachedRequests = 2000

/** Creates the function that counts listings per facet value. Equal requests share a result for at most 5 seconds. */
export function createFindFacets(ctx: Context): (request: FacetRequest) => Promise<Facets> {
  return createAdaptiveCache(maxCachedRequests, async (request: FacetRequest) => {
    const areReady = await ctx.areFiltersReady()
    const [categories, counts] = await withSession(ctx, async (session) => [
      await readCategories(session.db),
      areReady ? await count(session, request) : null,
    ])
    const slugs = categories.map(({ slug }) => slug)
    return {
      category: toFacet(slugs, counts && counts.category),
      condition: toFacet(conditions, counts && counts.condition),
      format: toFacet(areReady ? formats : [], counts && counts.format),
      free_shipping: toFacet(areReady ? ['true'] : [], counts && counts.free_shipping),
    }
  })
}

// Counts the same listings that `find-listings.ts` finds: with the typed words or, if they have no match, with the
// corrected words.
async function count(session: Session, { search, filters }: FacetRequest): Promise<FacetCounts | null> {
  const { db, expansions } = session
  const rule = { limit: 1, lookupLimit: maxCounted, scanRowCost: 1 }
  const request = { filters: withoutFacets(filters), direct: rule, related: rule }
  // Skips counting if `scanLimit` is set, that is, if more than `maxCounted` matches are expected.
  const countMatch = async (match: Match | null) =>
    match === null || match.scanLimit === null ? countFacets(db, match, filters) : null
  if (search === null) return countMatch(needsWords(request.filters) ? await matchFilters(session, request) : null)
  const countSearch = async (words: string) => {
    const matches = await matchWords(session, { ...request, search: words })
    return matches ? countMatch(matches.any) : nothing
  }
  for (const spelling of spellingsOf(search)) {
    const counts = await countSearch(spelling)
    if (counts === null || counts.size > 0) return counts
  }
  const corrected = await correctSearch(db, search, expansions)
  return corrected === null ? nothing : countSearch(corrected)
}

const none = new Map<string, number>()
const nothing: FacetCounts = { size: 0, category: none, condition: none, format: none, free_shipping: none }
