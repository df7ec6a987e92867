import type { IncomingHttpHeaders } from 'node:http'
import { forbidden } from '@marketplace/kit/problem.ts'
import type { Route } from '../routing/route.ts'

// What a browser says of requests that our own pages make, or that a person typed.
const ownSites = new Set(['same-origin', 'none'])

/** A write must come from our own pages, or from something that is no browser (OWASP: Fetch Metadata, Origin check). */
export function refuseForeignWrite(route: Route, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (!route.isWrite || route.body === 'raw') return
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const purposes = [headers['purpose'], headers['sec-purpose']].join(' ')
  const isForeign = (origin !== undefined && origin !== publicOrigin) || (site !== undefined && !ownSites.has(site))
  if (isForeign) throw forbidden('foreign_origin', 'This request came from another site.')
  if (purposes.includes('prefetch')) throw forbidden('prefetch', 'This address is not to be prefetched.')
}
