import { LRUCache } from 'lru-cache'
import { parseRequestTarget } from './request-target.ts'
import { isBlockedPath } from './blocked-paths.ts'
import type { Route } from './route.ts'
import { rebuildSegment, requireKnownParameters } from './parameters.ts'
import { routeTable, webRoute } from './route-table.ts'

/** The matched route and the path and query to forward. */
export interface Target {
  route: Route
  path: string
  query: string
  /** Parameter values in the order of the template. */
  parameters: readonly string[]
}

/** Result of matching a request. Signed-out clients get 401 instead of a 404 with a `route`. */
export type MatchResult =
  | { target: Target }
  | { status: 400 | 414 }
  | { status: 404; route?: Route }
  | { status: 405; allow: readonly string[] }

const webMethods = ['GET', 'HEAD']

// Maximum path length for pages and files, which limits the memory of the proxy plugin's path cache.
const maxWebPathLength = 1024

// Maximum number of cached results, about 1 MB in total. The cache is most useful in the last minute of an auction,
// when clients request the same few URLs again and again.
const maxCachedResults = 2000
const maxCachedLength = 200

export type MatchRoute = (method: string, url: string) => MatchResult

interface Address {
  path: string
  query: string
}

/**
 * Creates the function that finds the route for a method and a raw request target, and caches the results. Throws if a
 * path template has a parameter without a defined format.
 */
export function createMatcher(table: readonly Route[]): MatchRoute {
  for (const { template } of table) requireKnownParameters(template)
  const rowsOf = groupRows(table)
  const cache = new LRUCache<string, MatchResult>({ max: maxCachedResults })
  return (method, url) => {
    const request = `${method} ${url}`
    const cached = cache.get(request)
    if (cached) return cached
    const result = matchTarget(rowsOf, method, url)
    if (request.length <= maxCachedLength) cache.set(request, result)
    return result
  }
}

export const matchRoute = createMatcher(routeTable)

interface Row {
  route: Route
  parts: readonly string[]
}

type RowsOf = (segments: readonly string[]) => readonly Row[]

// Groups the split templates by number of segments, so that a request is compared only with templates of its length.
function groupRows(table: readonly Route[]): RowsOf {
  const rows = table.map((route) => ({ route, parts: route.template.split('/') }))
  const byLength = Map.groupBy(rows, ({ parts }) => parts.length)
  return (segments) => byLength.get(segments.length) ?? []
}

function matchTarget(rowsOf: RowsOf, method: string, url: string): MatchResult {
  const address = parseRequestTarget(url)
  if (address === 'malformed') return { status: 400 }
  if (address === 'too long') return { status: 414 }
  const segments = address.path.split('/')
  const matches = findMatches(rowsOf(segments), segments, address)
  const target = matches.find((match) => allows(match.route, method))
  if (target) return { target }
  const allow = matches.flatMap((match) => methodsOf(match.route))
  if (!isApi(address.path)) return matchWeb(method, address, allow)
  if (matches.length === 0) return { status: 404, ...nearestRoute(rowsOf(segments), method, segments) }
  return { status: 405, allow }
}

function findMatches(rows: readonly Row[], segments: readonly string[], { query }: Address): Target[] {
  return rows.flatMap(({ route, parts }) => {
    const rebuilt = hasShape(parts, segments) ? rebuildPath(parts, segments) : null
    return rebuilt === null ? [] : [{ route, query, ...rebuilt }]
  })
}

// Returns whether a path belongs to the API. Variants such as `/API` and `/%61pi` count too, so that they get 404
// instead of being forwarded to the web app.
function isApi(path: string): boolean {
  return /^\/api(?:\/|$)/i.test(decodeURIComponent(path))
}

// Finds a route that requires a session and would match if the ids in the path were well-formed.
function nearestRoute(rows: readonly Row[], method: string, segments: readonly string[]): { route?: Route } {
  const isNear = (parts: readonly string[]) => parts.every((part, at) => part === '{id}' || part === segments[at])
  const row = rows.find(({ route, parts }) => route.session === 'closed' && allows(route, method) && isNear(parts))
  return row ? { route: row.route } : {}
}

// Matches a path outside `/api`: a page or file of the web app. `allow` lists the methods for the `Allow` header of a
// 405 response.
function matchWeb(method: string, address: Address, allow: readonly string[]): MatchResult {
  if (address.path.length > maxWebPathLength) return { status: 414 }
  if (isBlockedPath(address.path)) return { status: 404 }
  if (!webMethods.includes(method)) return { status: 405, allow: [...webMethods, ...allow] }
  return { target: { route: webRoute, parameters: [], ...address } }
}

function methodsOf(route: Route): readonly string[] {
  return route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]
}

function allows(route: Route, method: string): boolean {
  return methodsOf(route).includes(method)
}

function hasShape(parts: readonly string[], segments: readonly string[]): boolean {
  return parts.every((part, at) => part === segments[at] || part.startsWith('{'))
}

// Rebuilds the path to forward from the template and validated parameters, never from raw input.
function rebuildPath(
  parts: readonly string[],
  segments: readonly string[],
): Pick<Target, 'path' | 'parameters'> | null {
  const rebuilt = parts.flatMap((part, index) => rebuildSegment(part, segments[index] ?? '') ?? [])
  if (rebuilt.length < parts.length) return null
  return { path: rebuilt.join('/'), parameters: rebuilt.filter((_, index) => parts[index]?.startsWith('{')) }
}
