import { isId } from '@marketplace/kit/ids.ts'
import { judgeRawAddress } from './raw-path.ts'
import { isHidden } from './hidden.ts'
import type { Route } from './route.ts'
import { routeTable, webRoute } from './route-table.ts'

/** Where a request goes: its row of the table, and the path and query to send on. */
export interface Target {
  route: Route
  path: string
  query: string
  /** The values of the template's parameters, in its order. */
  parameters: readonly string[]
}

/** `route`: the one that this would be, were its id of a known form. */
export type Verdict =
  | { target: Target }
  | { status: 400 | 414 }
  | { status: 404; route?: Route }
  | { status: 405; allow: readonly string[] }

const methodsOfWeb = ['GET', 'HEAD']

// Taken apart once: a request looks through those of its length.
const rowsByLength = Map.groupBy(
  routeTable.map((route) => ({ route, parts: route.template.split('/') })),
  ({ parts }) => parts.length,
)
const rowsFor = (segments: readonly string[]) => rowsByLength.get(segments.length) ?? []

// Where it matters the same few addresses are asked for again and again: an auction's in its last minute. A verdict depends
// on nothing else. About 1 MB when full.
const kept = new Map<string, Verdict>()
const maxKept = 2000
const maxKeptLength = 200

/** Judges method and raw request target; the only place where a path is matched. */
export function matchRoute(method: string, url: string): Verdict {
  const request = `${method} ${url}`
  const known = kept.get(request)
  if (known) return known
  const verdict = judge(method, url)
  if (kept.size === maxKept) kept.clear()
  if (request.length <= maxKeptLength) kept.set(request, verdict)
  return verdict
}

function judge(method: string, url: string): Verdict {
  const address = judgeRawAddress(url)
  if (address === 'malformed') return { status: 400 }
  if (address === 'too long') return { status: 414 }
  return isApi(address.path) ? matchApi(method, address) : matchWeb(method, address)
}

// `/API` and `/%61pi` are no other place than `/api`: unknown there, and not the web app's.
function isApi(path: string): boolean {
  return /^\/api(?:\/|$)/i.test(decodeURIComponent(path))
}

function matchApi(method: string, address: { path: string; query: string }): Verdict {
  const segments = address.path.split('/')
  const matches = rowsFor(segments).flatMap(({ route, parts }) => {
    const rebuilt = hasShape(parts, segments) ? rebuildPath(parts, segments) : null
    return rebuilt === null ? [] : [{ route, query: address.query, ...rebuilt }]
  })
  const target = matches.find((match) => allows(match.route, method))
  if (target) return { target }
  if (matches.length === 0) return { status: 404, ...nearestRoute(method, segments) }
  return { status: 405, allow: matches.flatMap((match) => methodsOf(match.route)) }
}

// Whoever is signed out hears 401 first, as for an id that is of nothing.
function nearestRoute(method: string, segments: readonly string[]): { route?: Route } {
  const isNear = (parts: readonly string[]) => parts.every((part, at) => part === '{id}' || part === segments[at])
  const row = rowsFor(segments).find(
    ({ route, parts }) => route.session === 'closed' && allows(route, method) && isNear(parts),
  )
  return row ? { route: row.route } : {}
}

function matchWeb(method: string, address: { path: string; query: string }): Verdict {
  if (isHidden(address.path)) return { status: 404 }
  if (!methodsOfWeb.includes(method)) return { status: 405, allow: methodsOfWeb }
  return { target: { route: webRoute, parameters: [], ...address } }
}

function methodsOf(route: Route): readonly string[] {
  return route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]
}

function allows(route: Route, method: string): boolean {
  return methodsOf(route).includes(method)
}

const parameterForms: Record<string, (value: string) => string | null> = {
  '{id}': (value) => (isId(value) ? value.toLowerCase() : null),
  '{file}': (value) => (/^[a-z][a-z-]{0,31}\.(?:css|js)$/.test(value) ? value : null),
  '{provider}': (value) => (/^[a-z][a-z0-9-]{0,31}$/.test(value) ? value : null),
}

function hasShape(parts: readonly string[], segments: readonly string[]): boolean {
  return parts.every((part, at) => part === segments[at] || part.startsWith('{'))
}

// The path sent on consists of the template and parameters of a known form, never of what came over the wire.
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
  return parameterForms[part]?.(segment) ?? null
}
