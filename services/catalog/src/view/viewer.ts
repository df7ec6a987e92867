import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the viewer that a read counts for, as a hash: the user, else the browser id from the gateway's cookie, else the
 * client address from the gateway. Null without any of them, for example when the web server prerenders a page.
 */
export function identifyViewer({ caller, headers }: FastifyRequest): string | null {
  if (caller) return viewerIdOfUser(caller.userId)
  const browser = lastEntry(headers['x-viewer-id'])
  if (browser) return hashViewer('browser', browser)
  const address = lastEntry(headers['x-forwarded-for'])
  return address ? hashViewer('address', address) : null
}

/** Returns the viewer id under which a signed-in user's views are counted. */
export function viewerIdOfUser(userId: string): string {
  return hashViewer('user', userId)
}

// The gateway appends the last entry. Entries before it come from the client and cannot be trusted.
function lastEntry(header: string | string[] | undefined): string | undefined {
  return header?.toString().split(',').at(-1)?.trim()
}

function hashViewer(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('hex')
}
