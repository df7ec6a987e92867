import type { IncomingHttpHeaders } from 'node:http'
import { forbidden } from '@marketplace/kit/errors/problem.ts'
import type { Route } from '../routing/route.ts'

// Sec-Fetch-Site values of requests from the site's own pages or entered by the user.
const ownSites = new Set(['same-origin', 'none'])

/**
 * Rejects writes unless they come from the site's own pages or from a client that is not a browser (OWASP: Fetch
 * Metadata, Origin check).
 */
export function checkOrigin(route: Route, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (!route.isWrite || route.body === 'raw') return
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const purposes = [headers['purpose'], headers['sec-purpose']].join(' ')
  const isCrossSite = (origin !== undefined && origin !== publicOrigin) || (site !== undefined && !ownSites.has(site))
  if (isCrossSite) throw forbidden('foreign_origin', 'This request came from another site.')
  if (purposes.includes('prefetch')) throw forbidden('prefetch', 'This address must not be prefetched.')
}
