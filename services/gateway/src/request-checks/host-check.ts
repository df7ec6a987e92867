import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { DomainError } from '@marketplace/kit/errors/problem.ts'

const hostPattern = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/i

export type CheckHost = (request: IncomingMessage) => void

/**
 * Creates a check that rejects a request with a missing, duplicate or unknown Host header. The gateway does not use the
 * header, but a cache in front of the gateway might use it as a key.
 */
export function createHostCheck(publicOrigin: string, allowedHosts: readonly string[]): CheckHost {
  const names = new Set(
    [new URL(publicOrigin).hostname, 'localhost', ...allowedHosts].map((name) => name.toLowerCase()),
  )
  return ({ rawHeaders, headers }) => {
    const name = hostPattern.exec(headers.host ?? '')?.groups?.['name']?.toLowerCase()
    if (countHosts(rawHeaders) !== 1 || name === undefined || !(names.has(name) || isAddress(name))) throw wrongHost()
  }
}

// Counts the Host headers. Reads the raw headers, because `headers` contains only the first of several Host headers.
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

// Any IP address is accepted as host, because a DNS rebinding attack needs a domain name.
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

function wrongHost(): DomainError {
  return new DomainError('invalid', 'wrong_host', 'This host name is not served here.')
}
