import type { FastifyServerOptions } from 'fastify'

/** Maximum number of request headers. Set as `server.maxHeadersCount`, because Fastify has no option for it. */
export const maxHeaders = 100

// Node closes slow connections only when it checks them, so both deadlines are exceeded by up to this interval.
const checkIntervalMs = 1000

/**
 * Returns the limits of Node's HTTP server. Its defaults let a slow client hold a connection for minutes.
 * `requestTimeoutMs` is the deadline for the headers and for the whole request.
 */
export function httpLimits(requestTimeoutMs: number): FastifyServerOptions & { http: object } {
  return {
    requestTimeout: requestTimeoutMs,
    http: {
      // The limit includes the request line.
      maxHeaderSize: 32 * 1024,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(checkIntervalMs, requestTimeoutMs),
      // Node would reject a request without a Host header itself, and its response would lack the security headers.
      // `host-check.ts` checks the header instead.
      requireHostHeader: false,
    },
  }
}
