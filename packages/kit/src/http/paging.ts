import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid } from '../errors/problem.ts'
import { Id } from '../values/ids.ts'

/** Maximum size of a list's JSON body in bytes: 1 MiB. A page ends before the row that would exceed this size. */
export const maxPageBytes = 1_048_576

/**
 * Response header, for the gateway only, with the cost of a request: a request of cost 3 counts as three in the
 * client's rate limit.
 */
export const requestCostHeader = 'x-request-cost'

// Maximum size in bytes of a response that counts as one request in the client's rate limit. A response of up to twice
// this size counts as two, and so on.
const bytesOfUsualCost = 32 * 1024

const limitMessage = 'Must be a whole number from 1 to 100'

/** Schema of the query parameter `limit`: 1 to 100 rows. */
export function pageLimit(defaultRows: number) {
  // `z.coerce` is not used, because it accepts `['1']`, `0x10` and ` 1` as numbers.
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
    z.int(limitMessage).min(1, limitMessage).max(100, limitMessage).default(defaultRows),
  )
}

/**
 * Query parameters of a paged list. The client copies `cursor` from the `Link` header of the previous page and does not
 * interpret it.
 */
export const pageParameters = { limit: pageLimit(50), cursor: z.string().max(1000).optional() }

/**
 * Schema of an instant in a cursor, ISO 8601 in UTC with at most microseconds. Rejects what Postgres cannot parse: the
 * year 0, and a fraction of a second with very many digits.
 */
export const CursorInstant = z.iso
  .datetime()
  .max('2026-01-01T00:00:00.000000Z'.length)
  .refine((instant) => !instant.startsWith('0000'))
/** Schema of the cursor of a list that is ordered by a time and an id. */
export const TimeCursor = z.strictObject({ at: CursorInstant, id: Id })

export const invalidCursor = 'Must be taken from the Link header of the previous page'

/** Encodes the position of a page's last row as the cursor for the next page. */
export function writeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/**
 * Decodes a cursor to the position of the previous page's last row. Returns null for the first page. Throws `invalid`
 * (400) if the cursor does not match the list's schema.
 */
export function readCursor<Position>(schema: z.ZodType<Position>, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const position = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
  if (!position.success) throw invalid('cursor', invalidCursor)
  return position.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Largest number of rows that a list counts. */
export const maxTotal = 10_000

/**
 * Formats a count of rows; a count above `maxTotal` (10,000) becomes `10000+`. The caller can stop counting at
 * `maxTotal + 1`.
 */
export function formatTotal(count: number): string {
  return count > maxTotal ? `${maxTotal}+` : String(count)
}

export interface PageOptions<Row, View> {
  /** The rows of the page, plus one more row if the list continues after it. */
  rows: readonly Row[]
  /** True if the list continues after `rows` even though they do not include one more row. */
  hasMore?: boolean
  limit: number
  toView: (row: Row) => View
  /** Returns the row's position in the list, in the form that the route's cursor schema defines. */
  positionOf: (row: Row) => unknown
}

/**
 * Returns the response body of one page, with `toView` applied to each row, and sets the `Link` header if the list
 * continues. Rows that would exceed `maxPageBytes` go to the next page. The first row is always included.
 */
export function page<Row, View>(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, hasMore = false, limit, toView, positionOf }: PageOptions<Row, View>,
): View[] {
  const views: View[] = []
  // Starts with the size of the list's two brackets.
  let bytes = 2
  for (const row of rows.slice(0, limit)) {
    const view = toView(row)
    bytes += Buffer.byteLength(JSON.stringify(view)) + 1
    if (bytes > maxPageBytes && views.length > 0) break
    views.push(view)
  }
  const cost = Math.ceil(bytes / bytesOfUsualCost)
  if (cost > 1) reply.header(requestCostHeader, cost)
  const last = rows[views.length - 1]
  const isFollowed = hasMore || rows.length > views.length
  if (last !== undefined && isFollowed) reply.header('link', nextPage(request.url, positionOf(last)))
  return views
}

function nextPage(requestUrl: string, position: unknown): string {
  const url = new URL(requestUrl, 'http://unused')
  url.searchParams.set('cursor', writeCursor(position))
  return `<${url.pathname}${url.search}>; rel="next"`
}
