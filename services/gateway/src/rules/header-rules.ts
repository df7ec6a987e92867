import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { DomainError } from '@marketplace/kit/problem.ts'
import { Refusal } from './refusal.ts'

const maxHeaders = 100
const hostForm = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/i

export type HeaderRules = (request: IncomingMessage) => void

/** Too many headers, or a Host that is not one of our names. We never route by Host; others may cache by it. */
export function headerRules(publicOrigin: string, allowedHosts: readonly string[]): HeaderRules {
  const names = new Set(
    [new URL(publicOrigin).hostname, 'localhost', ...allowedHosts].map((name) => name.toLowerCase()),
  )
  return ({ rawHeaders, headers }) => {
    // Node's own limit drops what is above it without a word.
    if (rawHeaders.length > maxHeaders * 2) throw new Refusal(431)
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
