import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Header in which the gateway passes the client's address to services. If the client itself sent the header, the gateway
 * removes it.
 */
export const addressHeader = 'x-forwarded-for'

/** Returns the client's address from the gateway's header, or null if the header has none. */
export function readAddress(header: string | readonly string[] | null | undefined): string | null {
  return typeof header === 'string' && isIP(header) !== 0 ? header : null
}

export function addressOf(request: FastifyRequest): string | null {
  return readAddress(request.headers[addressHeader])
}
