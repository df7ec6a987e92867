import type { IncomingHttpHeaders } from 'node:http'

// Hop-by-hop headers, what would tell which software answers, and what only the gateway decides.
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

/** What of an upstream's headers goes to the client; no other origin may ever read our answers. */
export function answerHeaders(headers: IncomingHttpHeaders, maySetCookies: boolean): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => {
    if (name === 'set-cookie') return maySetCookies
    return !dropped.has(name) && !name.startsWith('access-control-')
  })
  return Object.fromEntries(kept)
}
