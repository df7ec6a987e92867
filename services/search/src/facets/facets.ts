import type { Filters } from '../browse/filters.ts'

/** The filters with a number of listings for each of their values. */
export const facetNames = ['category', 'condition', 'format', 'free_shipping'] as const
export type FacetName = (typeof facetNames)[number]

export interface FacetValue {
  value: string
  /** Number of listings with this value and all other filters; null if it is not known. */
  count: number | null
}

export type Facets = Record<FacetName, FacetValue[]>

/** Removes the filters on facets, so that listings with other values of each facet are counted too. */
export function withoutFacets(filters: Filters): Filters {
  return { ...filters, category: null, condition: null, format: null, freeShipping: null }
}

/** Returns the known values of a facet with their counts; without counts if `counts` is null. */
export function toFacet(values: readonly string[], counts: ReadonlyMap<string, number> | null): FacetValue[] {
  return values.map((value) => ({ value, count: counts === null ? null : (counts.get(value) ?? 0) }))
}
