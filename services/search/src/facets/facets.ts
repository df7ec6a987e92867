import type { Filters } from '../browse/filters.ts'

/** The filters for which the number of listings per value is shown. */
export const facetNames = ['category', 'condition', 'format', 'free_shipping'] as const
export type FacetName = (typeof facetNames)[number]

export interface FacetValue {
  value: string
  /** Number of listings with this value that match the search and the filters on other fields; null if unknown. */
  count: number | null
}

export type Facets = Record<FacetName, FacetValue[]>

/** Removes all facet filters, so that listings with other values of the facets are counted too. */
export function withoutFacets(filters: Filters): Filters {
  return { ...filters, category: null, condition: null, format: null, freeShipping: null }
}

/** Returns the values of a facet with their counts, which are null (unknown) if `counts` is null. */
export function toFacet(values: readonly string[], counts: ReadonlyMap<string, number> | null): FacetValue[] {
  return values.map((value) => ({ value, count: counts === null ? null : (counts.get(value) ?? 0) }))
}
