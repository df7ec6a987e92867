import type { Db } from '../db.ts'
import { segmentsFrom, type Browse, type Position, type Segment } from './browse.ts'
import { areAllRanked, readSegment } from './browse.repo.ts'
import type { SearchMatches } from './find-match.ts'
import type { Match } from './matches.repo.ts'
import type { FoundListing } from './selection.repo.ts'

/**
 * Reads the listings of a page and one more, which shows whether there is a next page. A page can start in one segment
 * (part of the sort order) and continue in the next segment.
 */
export async function readPage(db: Db, browse: Browse, matches: SearchMatches | null): Promise<FoundListing[]> {
  const { sort, after, limit, filters } = browse
  const found: FoundListing[] = []
  for (const segment of segmentsFrom(sort, after) ?? []) {
    const match = matches && matchOf(segment, matches)
    if (matches && match === null) continue
    if (segment === 'beyond-relevant' && after === null && areAllRanked(match, found)) continue
    const read = {
      segment,
      after: startOf(segment, found.at(-1)?.position ?? after),
      limit: limit + 1 - found.length,
    }
    const rows = await readSegment(db, { filters, match }, read)
    // If the scan stopped at `scanLimit` before the page was full, the segment is read again through the word index.
    // The matches that `relevant` lacks follow in `beyond-relevant`.
    const isStopped = rows.length < read.limit && segment !== 'relevant' && match !== null && match.scanLimit !== null
    found.push(...(isStopped ? await readSegment(db, { filters, match: { ...match, scanLimit: null } }, read) : rows))
    if (found.length > limit) break
  }
  return found
}

function matchOf(segment: Segment, { direct, related, any }: SearchMatches): Match | null {
  if (segment === 'relevant' || segment === 'beyond-relevant') return direct
  return segment === 'related' ? related : any
}

function startOf(segment: Segment, last: Position | null): Position | null {
  if (last?.in === segment) return last
  return segment === 'beyond-relevant' && last?.in === 'relevant' ? { in: segment, ...last.oldest } : null
}
