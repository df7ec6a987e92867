import type { IncomingHttpHeaders } from 'node:http'
import type { Target } from '../routing/match.ts'

// Response headers of services that are not sent to the client: hop-by-hop headers, headers that name a service's
// software, and headers that only the gateway sets.
const dropped = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'server',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-powered-by',
  'x-request-id',
  'content-security-policy',
  'content-security-policy-report-only',
  'cross-origin-opener-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
])

/**
 * Returns the headers of a service's response that are sent to the client. Drops CORS headers, because only the gateway
 * sets them. Keeps cookies only for routes that list cookies.
 */
export function filterResponseHeaders(headers: IncomingHttpHeaders, target: Target | null): IncomingHttpHeaders {
  const maySetCookies = target !== null && target.route.cookies.length > 0
  const kept: IncomingHttpHeaders = {}
  for (const name of Object.keys(headers)) {
    if (dropped.has(name) || name.startsWith('access-control-')) continue
    if (name === 'set-cookie' && !maySetCookies) continue
    kept[name] = headers[name]
  }
  return kept
}
