import { createHash } from 'node:crypto'
import { networkOf, readAddress } from '@marketplace/kit/http/client-address.ts'
import type { FastifyRequest } from 'fastify'

/**
 * Returns a hash that identifies the viewer: by the user id, otherwise by the browser id in the gateway's cookie,
 * otherwise by the client's IP address. Returns null if none of these is known, for example when the web server renders
 * a page.
 */
export function identifyViewer({ caller, headers }: FastifyRequest): string | null {
  if (caller) return viewerIdOfUser(caller.userId)
  const browser = lastEntry(headers['x-viewer-id'])
  if (browser) return hashViewer('browser', browser)
  const address = lastEntry(headers['x-forwarded-for'])
  return address ? hashViewer('address', address) : null
}

/** Returns the network of the client's IP address, which the gateway forwards. Returns null without an address. */
export function networkOfRequest({ headers }: FastifyRequest): string | null {
  const address = readAddress(lastEntry(headers['x-forwarded-for']))
  return address === null ? null : networkOf(address)
}

/** Returns the viewer id under which a signed-in user's views are counted. */
export function viewerIdOfUser(userId: string): string {
  return hashViewer('user', userId)
}

// Returns the last value in a header, which comes from the gateway. Earlier values come from the client and cannot be
// trusted.
function lastEntry(header: string | string[] | undefined): string | undefined {
  return header?.toString().split(',').at(-1)?.trim()
}

function hashViewer(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('hex')
}
