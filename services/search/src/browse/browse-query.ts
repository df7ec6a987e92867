import { invalid } from '@marketplace/kit/errors/problem.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import { querySchema } from '../query-schema.ts'
import { sortFor, sorts, segmentsFrom, type Browse } from './browse.ts'
import { readCursor } from './cursor.ts'
import { filterParameters, readFilters } from './filters.ts'

const limitMessage = 'Must be a whole number from 1 to 100'

// Not `z.coerce`, which accepts `['1']`, `0x10` and ` 1` as numbers.
const Limit = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.int(limitMessage).min(1, limitMessage).max(100, limitMessage).default(24),
)

export const BrowseQuery = querySchema({
  search: text({ max: 200 }).optional(),
  ...filterParameters,
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
  return { search, sort, limit: query.limit, after, filters: readFilters(query) }
}
