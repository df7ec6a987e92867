import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Header in which the gateway passes the client's address to services. The gateway discards a value that the client
 * sent.
 */
export const addressHeader = 'x-forwarded-for'

/** Returns the client's address from the gateway's header, or null if the header contains no valid IP address. */
export function readAddress(header: string | readonly string[] | null | undefined): string | null {
  return typeof header === 'string' && isIP(header) !== 0 ? header : null
}

export function addressOf(request: FastifyRequest): string | null {
  return readAddress(request.headers[addressHeader])
}

const mapped = /^::ffff:(?=\d+\.)/i

/** Returns the network of an address: the IPv4 address itself, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = address.replace(mapped, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().replace(/%.*$/, '').split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
