import type { Browse, Segment } from './browse.ts'
import type { SearchMatches } from './find-match.ts'
import type { Match } from './matches.repo.ts'
import type { FoundListing } from './selection.repo.ts'

/** The number of listings counted so far, and the matches that are still to be counted. */
export interface PartialTotal {
  counted: number
  /** Null if `counted` is complete. `match` is null if all listings that match the filters are to be counted. */
  uncounted: { match: Match | null } | null
}

// Number of direct matches up to which counting all matches is faster than counting only the related matches.
const maxRecounted = 1000

/** Returns the number of selected listings, as far as it is known from the rows of a page. */
export function knownTotal(browse: Browse, matches: SearchMatches | null, rows: readonly FoundListing[]): PartialTotal {
  if (rows.length <= browse.limit && browse.after === null) return { counted: rows.length, uncounted: null }
  const all = { counted: 0, uncounted: { match: matches && matches.any } }
  if (!matches?.related || browse.sort !== 'relevance') {
    const total = rows[0]?.total ?? null
    return total === null ? all : { counted: total, uncounted: null }
  }
  // An ordered scan does not count its matches.
  if (matches.any.scanLimit !== null) return all
  // Each listing is either a direct or a related match, so the two numbers are added.
  const direct = matches.direct === null ? 0 : directTotal(browse, matches.direct, rows)
  const related = totalIn(['related'], rows)
  if (direct !== null && related !== null) return { counted: direct + related, uncounted: null }
  return direct !== null && direct > maxRecounted ? { counted: direct, uncounted: { match: matches.related } } : all
}

function directTotal({ after }: Browse, { scanLimit }: Match, rows: readonly FoundListing[]): number | null {
  const isEmpty = after === null && scanLimit === null && rows[0]?.position.in === 'related'
  return isEmpty ? 0 : totalIn(['relevant', 'beyond-relevant'], rows)
}

function totalIn(segments: readonly Segment[], rows: readonly FoundListing[]): number | null {
  return rows.find(({ position }) => segments.includes(position.in))?.total ?? null
}
