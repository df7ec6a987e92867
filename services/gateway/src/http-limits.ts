import type { FastifyServerOptions } from 'fastify'

/** Maximum number of request headers. Set as `server.maxHeadersCount`, because Fastify has no option for it. */
export const maxHeaders = 100

// Node checks for slow connections only at this interval. So the deadlines of the headers and of the request can be
// exceeded by up to one interval.
const checkIntervalMs = 1000

/**
 * Returns the limits of Node's HTTP server. Its defaults let a slow client hold a connection for minutes.
 * `requestTimeoutMs` is the deadline for the headers and for the whole request.
 */
export function httpLimits(requestTimeoutMs: number): FastifyServerOptions & { http: object } {
  return {
    requestTimeout: requestTimeoutMs,
    http: {
      // Maximum size of the headers and the request line together.
      maxHeaderSize: 32 * 1024,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(checkIntervalMs, requestTimeoutMs),
      // Node would reject a request without a Host header itself, and its response would lack the security headers.
      // `host-check.ts` checks the header instead.
      requireHostHeader: false,
    },
  }
}
