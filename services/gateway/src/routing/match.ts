import { LRUCache } from 'lru-cache'
import { isId } from '@marketplace/kit/values/ids.ts'
import { parseRequestTarget } from './request-target.ts'
import { isBlockedPath } from './blocked-paths.ts'
import type { Route } from './route.ts'
import { routeTable, webRoute } from './route-table.ts'

/** The matched route and the path and query to forward. */
export interface Target {
  route: Route
  path: string
  query: string
  /** Parameter values in the order of the template. */
  parameters: readonly string[]
}

/**
 * Result of matching a request. For status 404, `route` is set when the path fits a route except for a malformed id.
 */
export type MatchResult =
  | { target: Target }
  | { status: 400 | 414 }
  | { status: 404; route?: Route }
  | { status: 405; allow: readonly string[] }

const webMethods = ['GET', 'HEAD']

// Maximum length of the path of a page or file. The proxy plugin caches the 5,000 most recent paths, which take 12 MB
// at this length but 162 MB at 16 KiB. Pages and files have short paths.
const maxWebPathLength = 1024

// Route templates, split once at start and grouped by number of segments. A request is compared only with the routes of
// the same number of segments.
const routesByLength = Map.groupBy(
  routeTable.map((route) => ({ route, parts: route.template.split('/') })),
  ({ parts }) => parts.length,
)
const routesOfLength = (segments: readonly string[]) => routesByLength.get(segments.length) ?? []

// Caches match results, which depend only on method and target. In the last minute of an auction, the same few URLs are
// requested again and again. The full cache takes about 1 MB.
const cache = new LRUCache<string, MatchResult>({ max: 2000 })
const maxCachedLength = 200

/** Matches a method and raw request target. Paths are matched only here. */
export function matchRoute(method: string, url: string): MatchResult {
  const request = `${method} ${url}`
  const cached = cache.get(request)
  if (cached) return cached
  const result = matchTarget(method, url)
  if (request.length <= maxCachedLength) cache.set(request, result)
  return result
}

function matchTarget(method: string, url: string): MatchResult {
  const address = parseRequestTarget(url)
  if (address === 'malformed') return { status: 400 }
  if (address === 'too long') return { status: 414 }
  return isApi(address.path) ? matchApi(method, address) : matchWeb(method, address)
}

// Returns whether a path belongs to the API. Variants such as `/API` and `/%61pi` count too, so that they get 404
// instead of being forwarded to the web app.
function isApi(path: string): boolean {
  return /^\/api(?:\/|$)/i.test(decodeURIComponent(path))
}

function matchApi(method: string, address: { path: string; query: string }): MatchResult {
  const segments = address.path.split('/')
  const matches = routesOfLength(segments).flatMap(({ route, parts }) => {
    const rebuilt = hasShape(parts, segments) ? rebuildPath(parts, segments) : null
    return rebuilt === null ? [] : [{ route, query: address.query, ...rebuilt }]
  })
  const target = matches.find((match) => allows(match.route, method))
  if (target) return { target }
  if (matches.length === 0) return { status: 404, ...nearestRoute(method, segments) }
  return { status: 405, allow: matches.flatMap((match) => methodsOf(match.route)) }
}

// Finds the route that a path with a malformed id would match if the id were valid. The session check of that route
// runs before the 404 is sent. So a signed-out client gets 401, as for a valid but unknown id.
function nearestRoute(method: string, segments: readonly string[]): { route?: Route } {
  const isNear = (parts: readonly string[]) => parts.every((part, at) => part === '{id}' || part === segments[at])
  const row = routesOfLength(segments).find(
    ({ route, parts }) => route.session === 'closed' && allows(route, method) && isNear(parts),
  )
  return row ? { route: row.route } : {}
}

function matchWeb(method: string, address: { path: string; query: string }): MatchResult {
  if (address.path.length > maxWebPathLength) return { status: 414 }
  if (isBlockedPath(address.path)) return { status: 404 }
  if (!webMethods.includes(method)) return { status: 405, allow: webMethods }
  return { target: { route: webRoute, parameters: [], ...address } }
}

function methodsOf(route: Route): readonly string[] {
  return route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]
}

function allows(route: Route, method: string): boolean {
  return methodsOf(route).includes(method)
}

export const providerPattern = /^[a-z][a-z0-9-]{0,31}$/

const parameterParsers: Record<string, (value: string) => string | null> = {
  '{id}': (value) => (isId(value) ? value.toLowerCase() : null),
  '{file}': (value) => (/^[a-z][a-z-]{0,31}\.(?:css|js)$/.test(value) ? value : null),
  '{provider}': (value) => (providerPattern.test(value) ? value : null),
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

function rebuildSegment(part: string, segment: string): string | null {
  if (!part.startsWith('{')) return part === segment ? part : null
  return parameterParsers[part]?.(segment) ?? null
}
