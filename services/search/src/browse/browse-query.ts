import { listedParameters } from '@marketplace/contracts/listing-card.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import { invalidCursor, pageLimit, pageParameters, readCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { sortFor, sorts, segmentsFrom, type Browse } from './browse.ts'
import { BrowseCursor } from './cursor.ts'
import { filterParameters, readFilters } from './filters.ts'

export const BrowseQuery = querySchema({
  search: text({ max: 200 }).optional(),
  ...filterParameters,
  sort: z.enum(sorts).optional(),
  ...listedParameters,
  ...pageParameters,
  limit: pageLimit(24),
})

export function toBrowse(query: z.output<typeof BrowseQuery>): Browse {
  const search = query.search || null
  const sort = sortFor(query.sort ?? null, search)
  const after = readCursor(BrowseCursor, query.cursor)
  if (after !== null && segmentsFrom(sort, after) === null) throw invalid('cursor', invalidCursor)
  return { search, sort, limit: query.limit, after, filters: readFilters(query) }
}
