import { conditions } from '@marketplace/contracts/listing.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { dollarsToCents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'

const maxBoundCents = 999_999_999

const PriceBound = z
  .string()
  .transform((value, context) => {
    const amount = dollarsToCents(value)
    if (amount !== null && amount >= 0 && amount <= maxBoundCents) return amount
    context.addIssue({ code: 'custom', message: 'Must be US dollars from 0 to 9,999,999.99 with at most two decimals' })
    return z.NEVER
  })
  .meta({
    description: 'US dollars, at most two decimals; the bound is included',
    pattern: String.raw`^0*\d{1,7}(\.\d{1,2})?$`,
  })

const maxIds = 20
const idPattern = z.regexes.uuid7.source.slice(1, -1)
const idsMessage = `Must be up to ${maxIds} ids, separated by commas`

const Ids = z
  .string()
  .max(1000, idsMessage)
  .transform((value, context) => {
    const ids = value.toLowerCase().split(',')
    if (ids.length <= maxIds && ids.every(isId)) return ids
    context.addIssue({ code: 'custom', message: idsMessage })
    return z.NEVER
  })
  .meta({
    description: `Ids of listings, separated by commas; at most ${maxIds}`,
    pattern: `^${idPattern}(,${idPattern}){0,${maxIds - 1}}$`,
  })

export const formats = ['auction', 'fixed'] as const

/** The query parameters of `GET /api/listings` that filter the listings. */
export const filterParameters = {
  category: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'Must be the slug of a category')
    .optional(),
  condition: z.enum(conditions).optional(),
  minPrice: PriceBound.optional(),
  maxPrice: PriceBound.optional(),
  format: z.enum(formats).optional(),
  freeShipping: z.enum(['true'], { error: 'Must be true' }).optional(),
  location: text({ max: 200 }).optional(),
  seller: Id.optional(),
  ids: Ids.optional(),
}

type FilterQuery = { [Name in keyof typeof filterParameters]?: z.output<(typeof filterParameters)[Name]> }

/** The filters of a request. A filter that is not set is null. */
export interface Filters {
  category: string | null
  condition: (typeof conditions)[number] | null
  minPrice: number | null
  maxPrice: number | null
  format: (typeof formats)[number] | null
  freeShipping: 'true' | null
  /** Lexemes by which listings at the location are found, as returned by the SQL function `place_words`. */
  places: readonly string[] | null
  /** Id of the seller. */
  seller: string | null
  /** Ids of listings. */
  ids: readonly string[] | null
}

export function toFilters(query: FilterQuery, places: readonly string[] | null): Filters {
  const { category = null, condition = null, minPrice = null, maxPrice = null, format = null } = query
  const { freeShipping = null, seller = null, ids = null } = query
  return { category, condition, minPrice, maxPrice, format, freeShipping, places, seller, ids }
}

export const noFilters: Filters = toFilters({}, null)

/** A condition on a column of `listings` or `listing_words`. */
export interface ColumnFilter {
  column: string
  operator: '=' | '>=' | '<='
  value: string | number | readonly string[]
}

function columnFilter(column: string, operator: ColumnFilter['operator'], value: ColumnFilter['value'] | null) {
  return value === null ? [] : [{ column, operator, value }]
}

/**
 * Returns the price filters for a column. The column is a parameter, because `listings` and `listing_words` name it
 * differently.
 */
export function priceFilters({ minPrice, maxPrice }: Partial<Filters>, column: string): ColumnFilter[] {
  return [...columnFilter(column, '>=', minPrice ?? null), ...columnFilter(column, '<=', maxPrice ?? null)]
}

/** Returns the filters on columns of `listings`. They are used if a request has no search words. */
export function listingFilters(filters: Filters): ColumnFilter[] {
  return [
    ...columnFilter('category_slug', '=', filters.category),
    ...columnFilter('condition', '=', filters.condition),
    ...priceFilters(filters, 'shown_price_cents'),
    ...fewFilters(filters),
  ]
}

/** Returns the filters that match only few listings: the seller and the listing ids. */
export function fewFilters({ seller, ids }: Filters): ColumnFilter[] {
  return [...columnFilter('seller_id', '=', seller), ...columnFilter('id', '=', ids)]
}

/**
 * Returns the filters as lexemes. The trigger `add_filter_words` stores the same lexemes among the words of each
 * listing. Each lexeme begins with a space, so that no word typed by a user matches a filter.
 */
export function filterLexemes({ category, condition, format, freeShipping, places }: Filters): string[] {
  return [
    ...(category === null ? [] : [` category ${category}`]),
    ...(condition === null ? [] : [` condition ${condition}`]),
    ...(format === null ? [] : [` format ${format}`]),
    ...(freeShipping === null ? [] : [' shipping free']),
    ...(places ?? []),
  ]
}

/** Returns whether the request has a filter that can be applied only through the lexemes in `listing_words`. */
export function needsWords({ format, freeShipping, places }: Filters): boolean {
  return format !== null || freeShipping !== null || places !== null
}
