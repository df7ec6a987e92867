import { listedParameters } from '@marketplace/contracts/listing-card.ts'
import { invalid, unavailable } from '@marketplace/kit/errors/problem.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import { invalidCursor, pageLimit, pageParameters, readCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import type { Context } from '../context.ts'
import { sortFor, sorts, segmentsFrom, type Browse } from './browse.ts'
import { BrowseCursor } from './cursor.ts'
import { filterParameters, needsWords, toFilters, type Filters } from './filters.ts'

export const searchParameters = { search: text({ max: 200 }).optional(), ...filterParameters }

export const BrowseQuery = querySchema({
  ...searchParameters,
  sort: z.enum(sorts).optional(),
  ...listedParameters,
  ...pageParameters,
  limit: pageLimit(24),
})

type FilterQuery = Parameters<typeof toFilters>[0] & { location?: string | undefined }

/** Reads the filters of a request. Throws `unavailable` (503) if the data for a filter is still being backfilled. */
export async function readFilters({ readPlaces, areFiltersReady }: Context, query: FilterQuery): Promise<Filters> {
  const places = query.location === undefined ? [] : await readPlaces(query.location)
  const filters = toFilters(query, places.length > 0 ? places : null)
  if (needsWords(filters) && !(await areFiltersReady())) throw unavailable('This filter')
  return filters
}

export async function toBrowse(ctx: Context, query: z.output<typeof BrowseQuery>): Promise<Browse> {
  const search = query.search || null
  const sort = sortFor(query.sort ?? null, search)
  const after = readCursor(BrowseCursor, query.cursor)
  if (after !== null && segmentsFrom(sort, after) === null) throw invalid('cursor', invalidCursor)
  return { search, sort, limit: query.limit, after, filters: await readFilters(ctx, query) }
}
