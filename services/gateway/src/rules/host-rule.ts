import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { DomainError } from '@marketplace/kit/problem.ts'

const hostForm = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/i

export type HostRule = (request: IncomingMessage) => void

/** Refuses a Host that is not one of our names, and two of them. We never route by Host; others may cache by it. */
export function hostRule(publicOrigin: string, allowedHosts: readonly string[]): HostRule {
  const names = new Set(
    [new URL(publicOrigin).hostname, 'localhost', ...allowedHosts].map((name) => name.toLowerCase()),
  )
  return ({ rawHeaders, headers }) => {
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    const name = hostForm.exec(headers.host ?? '')?.groups?.['name']?.toLowerCase()
    if (hosts.length !== 1 || name === undefined || !(names.has(name) || isAddress(name))) throw wrongHost()
  }
}

// A plain address is no name that someone else could point at us.
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0
}

function wrongHost(): DomainError {
  return new DomainError('invalid', 'wrong_host', 'This host name is not served here.')
}
