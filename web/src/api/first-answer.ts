import type { ListingFilters } from './queries.ts'
import type { Category, Listing, ListingDetail } from './types.ts'

/** The id of the element that carries it. */
export const firstAnswerId = 'first-answer'

/** A page of `GET /api/listings`: the body and what its headers say. */
export type FirstListings = { filters: ListingFilters; listings: Listing[]; total: string | null; link: string | null }

/** What web's server puts into a page's HTML, so that it draws without asking. What did not come in time is not there. */
export type FirstAnswer = {
  /** The server's clock when it asked. */
  at: string
  listing?: ListingDetail
  categories?: Category[]
  trending?: { search_term: string }[]
  lists?: FirstListings[]
}
