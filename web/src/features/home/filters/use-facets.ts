import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { facetsQuery, type Facets, type ListingFilters } from '../../../api/queries/queries.ts'

type Counts = ReadonlyMap<string, number>

const none: Counts = new Map()

function countsOf(values: Facets[keyof Facets] | undefined): Counts {
  return new Map(values?.flatMap(({ value, count }) => (count === null ? [] : [[value, count] as const])))
}

/** Returns the number of listings for each filter value. */
export function useFacets(filters: ListingFilters) {
  const { data } = useQuery({ ...facetsQuery(filters), placeholderData: keepPreviousData })
  return {
    condition: data ? countsOf(data.condition) : none,
    format: data ? countsOf(data.format) : none,
    freeShipping: countsOf(data?.free_shipping).get('true'),
    /**
     * Whether to offer the filters for format, shipping and location. The server sends no formats until it supports
     * these three filters.
     */
    hasMoreFilters: data !== undefined && data.format.length > 0,
  }
}
