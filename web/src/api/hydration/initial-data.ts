import type { Category, ListingDetail } from '../client/types.ts'
import type { ListingFilters, ListingsResponse } from '../queries/queries.ts'

/** Id of the script element that contains the initial data. */
export const initialDataId = 'initial-data'

/** A response of `GET /api/listings`, with the filters of its request. */
export type InitialListings = ListingsResponse & { filters: ListingFilters }

/**
 * Data that the web server embeds in the HTML, so that the page renders without requests. Properties that the server could
 * not load in time are missing.
 */
export interface InitialData {
  /** Server time at which the web server requested the data, ISO 8601. */
  at: string
  listing?: ListingDetail
  categories?: Category[]
  trending?: { search_term: string }[]
  lists?: InitialListings[]
}
