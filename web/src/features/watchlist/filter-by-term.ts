import type { CardListing } from '../../api/client/types.ts'

/** Returns the listings that contain the term in their title or description, ignoring case. */
export function filterByTerm(listings: CardListing[], term: string): CardListing[] {
  const wanted = term.trim().toLowerCase()
  return listings.filter(
    ({ title, description }) => title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  )
}
