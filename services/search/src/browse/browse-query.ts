import { dollarsToCents } from '@marketplace/kit/values/money.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import { querySchema } from '../query-schema.ts'
import { sortFor, sorts, segmentsFrom, type Browse } from './browse.ts'
import { readCursor } from './cursor.ts'

export const conditions = ['new', 'like-new', 'good', 'fair', 'poor'] as const

const maxBoundCents = 999_999_999

const PriceBound = z
  .string()
  .transform((value, context) => {
    const amount = dollarsToCents(value)
    if (amount !== null && amount >= 0 && amount <= maxBoundCents) return amount
    context.addIssue({ code: 'custom', message: 'Must be US dollars from 0 to 9,999,999.99 with at most two decimals' })
    return z.NEVER
  })
  .meta({ description: 'US dollars, at most two decimals; the bound is included' })

const limitMessage = 'Must be a whole number from 1 to 100'

// Not `z.coerce`, which accepts `['1']`, `0x10` and ` 1` as numbers.
const Limit = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.int(limitMessage).min(1, limitMessage).max(100, limitMessage).default(24),
)

export const BrowseQuery = querySchema({
  search: text({ max: 200 }).optional(),
  category: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'Must be the slug of a category')
    .optional(),
  condition: z.enum(conditions).optional(),
  minPrice: PriceBound.optional(),
  maxPrice: PriceBound.optional(),
  sort: z.enum(sorts).optional(),
  limit: Limit,
  cursor: z.string().max(1000).optional(),
})

export function toBrowse(query: z.output<typeof BrowseQuery>): Browse {
  const search = query.search || null
  const sort = sortFor(query.sort ?? null, search)
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  const isInvalid = query.cursor !== undefined && (after === null || segmentsFrom(sort, after) === null)
  if (isInvalid) throw invalid('cursor', 'Must be taken from the Link header of the previous page')
  const { category = null, condition = null, minPrice = null, maxPrice = null, limit } = query
  return { search, sort, limit, after, filters: { category, condition, minPrice, maxPrice } }
}
