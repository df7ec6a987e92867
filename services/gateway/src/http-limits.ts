import type { FastifyServerOptions } from 'fastify'

/** Maximum number of request headers. Set as `server.maxHeadersCount`, because Fastify has no option for it. */
export const maxHeaders = 100

// Node checks for slow requests at this interval, so their deadlines can be exceeded by up to one interval.
const checkIntervalMs = 1000

/**
 * Returns the limits for Node's HTTP server. A request, including its headers, must arrive within `requestTimeoutMs`;
 * Node's defaults would let a slow client hold a connection for minutes.
 */
export function httpLimits(requestTimeoutMs: number): FastifyServerOptions & { http: object } {
  return {
    requestTimeout: requestTimeoutMs,
    http: {
      // Maximum size of the request line and the headers together, in bytes.
      maxHeaderSize: 32 * 1024,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(checkIntervalMs, requestTimeoutMs),
      // `host-check.ts` checks the Host header. Node's own check is disabled, because its error response lacks the
      // security headers.
      requireHostHeader: false,
    },
  }
}
