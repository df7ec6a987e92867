import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Header in which the gateway sends the client's address. The gateway drops the client's own header of this name. */
export const addressHeader = 'x-forwarded-for'

/** Returns the client's address from the gateway's header; null if it has none. */
export function readAddress(header: string | readonly string[] | null | undefined): string | null {
  return typeof header === 'string' && isIP(header) !== 0 ? header : null
}

export function addressOf(request: FastifyRequest): string | null {
  return readAddress(request.headers[addressHeader])
}
