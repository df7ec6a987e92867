import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/**
 * Whom a read counts as a view for: the user, else the browser that the gateway's cookie names, else the address that the
 * gateway saw. Null without any, as when the web server fills a page's head. Hashed: who it was is nobody's business here.
 */
export function viewerOf({ caller, headers }: FastifyRequest): string | null {
  if (caller) return viewerOfUser(caller.userId)
  const browser = lastOf(headers['x-viewer-id'])
  if (browser) return hashOf('browser', browser)
  const address = lastOf(headers['x-forwarded-for'])
  return address ? hashOf('address', address) : null
}

/** Whom the reads of a signed-in user count for. */
export function viewerOfUser(userId: string): string {
  return hashOf('user', userId)
}

// The last hop is the gateway's; whatever stands before it came from the client.
function lastOf(header: string | string[] | undefined): string | undefined {
  return header?.toString().split(',').at(-1)?.trim()
}

function hashOf(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('hex')
}
