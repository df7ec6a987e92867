import type { Listing } from '../../api/client/types.ts'

/** Returns the listings with the term in their title or description, ignoring case. */
export function filterByTerm(listings: Listing[], term: string): Listing[] {
  const wanted = term.trim().toLowerCase()
  return listings.filter(
    ({ title, description }) => title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  )
}
