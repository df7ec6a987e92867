import type { FastifyServerOptions } from 'fastify'

/** For `server.maxHeadersCount`, which no option sets. */
export const maxHeaders = 100

const maxHeadersTimeMs = 10_000

/** Limits of Node's own server; the defaults let a slow client hold its connection for minutes. */
export function httpLimits(requestTimeoutMs: number): FastifyServerOptions & { http: object } {
  return {
    requestTimeout: requestTimeoutMs,
    http: {
      // The request line counts too.
      maxHeaderSize: 32 * 1024,
      headersTimeout: Math.min(maxHeadersTimeMs, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(2000, requestTimeoutMs),
      // Node would answer without our headers; see host-rule.ts.
      requireHostHeader: false,
    },
  }
}
