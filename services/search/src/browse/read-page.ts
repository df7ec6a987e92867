import type { Db } from '../db.ts'
import { segmentsFrom, type Browse, type Position, type Segment } from './browse.ts'
import { areAllRanked, readSegment, type SegmentRead } from './browse.repo.ts'
import type { SearchMatches } from './find-match.ts'
import type { Match } from './matches.repo.ts'
import type { FoundListing, Selection } from './selection.repo.ts'

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
    found.push(...(await readWholeSegment(db, { filters, match }, read)))
    if (found.length > limit) break
  }
  return found
}

/**
 * Reads listings of a segment. If the scan stops at `scanLimit` before it has found `limit` listings, reads the segment
 * again through the word index, except `relevant`, whose remaining matches are in `beyond-relevant`.
 */
export async function readWholeSegment(db: Db, selection: Selection, read: SegmentRead): Promise<FoundListing[]> {
  const found = await readSegment(db, selection, read)
  const { match } = selection
  if (found.length === read.limit || read.segment === 'relevant' || !match || match.scanLimit === null) return found
  return readSegment(db, { ...selection, match: { ...match, scanLimit: null } }, read)
}

function matchOf(segment: Segment, { direct, related, any }: SearchMatches): Match | null {
  if (segment === 'relevant' || segment === 'beyond-relevant') return direct
  return segment === 'related' ? related : any
}

function startOf(segment: Segment, last: Position | null): Position | null {
  if (last?.in === segment) return last
  return segment === 'beyond-relevant' && last?.in === 'relevant' ? { in: segment, ...last.oldest } : null
}
