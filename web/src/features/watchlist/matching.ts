import type { Listing } from '../../api/types.ts'

/** Those with the term in title or description, whatever its case. */
export function matching(listings: Listing[], term: string): Listing[] {
  const wanted = term.trim().toLowerCase()
  return listings.filter(
    ({ title, description }) => title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  )
}
