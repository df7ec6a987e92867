import { conditions } from '@marketplace/contracts/listing.ts'
import { dollarsToCents } from '@marketplace/kit/values/money.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
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
  .meta({ description: `Ids of listings, separated by commas; at most ${maxIds}` })

export type FilterValue = string | number | readonly string[]

/** One filter: its query parameter, and how it selects rows of the tables `listings` and `listing_words`. */
interface Filter {
  schema: z.ZodType<FilterValue>
  /** Column of `listings` that is compared with the value. */
  column: string
  operator: '=' | '>=' | '<='
  /**
   * How a search with words applies the filter. `{ word: 'condition' }`: a database trigger adds a word such as `
   * condition new` to the indexed words of each listing, and the search requires the word. `{ column }`: the search
   * compares the column of `listing_words` with the value. `{ isLookedUp: true }`: the search first finds the listings
   * with the value, which must be few.
   */
  inWords: { word: string } | { column: string } | { isLookedUp: true }
}

/**
 * Every filter of `GET /api/listings`. The query schema, the SQL conditions and the required index words of a search,
 * for example `condition new`, are derived from these definitions.
 */
export const filterDefinitions = {
  category: {
    schema: z.string().regex(/^[\w-]{1,100}$/, 'Must be the slug of a category'),
    column: 'category_slug',
    operator: '=',
    inWords: { word: 'category' },
  },
  condition: {
    schema: z.enum(conditions),
    column: 'condition',
    operator: '=',
    inWords: { word: 'condition' },
  },
  minPrice: {
    schema: PriceBound,
    column: 'shown_price_cents',
    operator: '>=',
    inWords: { column: 'price_cents' },
  },
  maxPrice: {
    schema: PriceBound,
    column: 'shown_price_cents',
    operator: '<=',
    inWords: { column: 'price_cents' },
  },
  seller: {
    schema: Id,
    column: 'seller_id',
    operator: '=',
    inWords: { isLookedUp: true },
  },
  ids: {
    schema: Ids,
    column: 'id',
    operator: '=',
    inWords: { column: 'listing_id' },
  },
} as const satisfies Record<string, Filter>

type Definitions = typeof filterDefinitions

/** The values of the filters of a request; null where a filter is not set. */
export type Filters = { [Name in keyof Definitions]: z.output<Definitions[Name]['schema']> | null }

export const filterParameters = {
  category: filterDefinitions.category.schema.optional(),
  condition: filterDefinitions.condition.schema.optional(),
  minPrice: filterDefinitions.minPrice.schema.optional(),
  maxPrice: filterDefinitions.maxPrice.schema.optional(),
  seller: filterDefinitions.seller.schema.optional(),
  ids: filterDefinitions.ids.schema.optional(),
}

export function readFilters(query: Partial<Filters>): Filters {
  const { category = null, condition = null, minPrice = null, maxPrice = null, seller = null, ids = null } = query
  return { category, condition, minPrice, maxPrice, seller, ids }
}

export interface SetFilter extends Omit<Filter, 'schema'> {
  value: FilterValue
}

/** Returns the filters that are set, with their values. */
export function setFilters(filters: Partial<Filters>): SetFilter[] {
  return Object.entries<Filter>(filterDefinitions).flatMap(([name, { column, operator, inWords }]) => {
    const value = Object.entries(filters).find(([key]) => key === name)?.[1] ?? null
    return value === null ? [] : [{ column, operator, inWords, value }]
  })
}
