import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { facetsQuery, type Facets, type ListingFilters } from '../../../api/queries/queries.ts'

type Counts = ReadonlyMap<string, number>

const none: Counts = new Map()

function countsOf(values: Facets[keyof Facets] | undefined): Counts {
  return new Map(values?.flatMap(({ value, count }) => (count === null ? [] : [[value, count] as const])))
}

/** Returns the number of listings for each value of a filter, and whether all filters can be used. */
export function useFacets(filters: ListingFilters) {
  const { data } = useQuery({ ...facetsQuery(filters), placeholderData: keepPreviousData })
  return {
    condition: data ? countsOf(data.condition) : none,
    format: data ? countsOf(data.format) : none,
    freeShipping: countsOf(data?.free_shipping).get('true'),
    /**
     * Whether the format, shipping and location filters can be used; until the server has backfilled the data for these
     * filters, the response has no format counts.
     */
    hasMoreFilters: data !== undefined && data.format.length > 0,
  }
}
