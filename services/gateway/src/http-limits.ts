import type { FastifyServerOptions } from 'fastify'

/** Value of `server.maxHeadersCount`, which Fastify has no option for. */
export const maxHeaders = 100

const maxHeadersTimeMs = 10_000

/** Returns the limits of Node's HTTP server. Its defaults let a slow client hold a connection for minutes. */
export function httpLimits(requestTimeoutMs: number): FastifyServerOptions & { http: object } {
  return {
    requestTimeout: requestTimeoutMs,
    http: {
      // Includes the request line.
      maxHeaderSize: 32 * 1024,
      headersTimeout: Math.min(maxHeadersTimeMs, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(2000, requestTimeoutMs),
      // Node's own response would lack the security headers. `host-check.ts` checks the header instead.
      requireHostHeader: false,
    },
  }
}
