import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '@marketplace/kit/problem.ts'
import type { Route } from '../routing/route.ts'

const jsonForm = /^application\/json(?:[ \t]*;[ \t]*charset="?utf-8"?)?$/i

/** One coding, named once: beside another one a server on the way may see the end of the request elsewhere (RFC 9112, 6.1). */
export function hasUnclearEnd({ 'transfer-encoding': coding }: IncomingHttpHeaders): boolean {
  return coding !== undefined && coding.toLowerCase() !== 'chunked'
}

/** The announced size, then the media type; the bytes that really come are counted while they are read. */
export function refuseWrongBody(route: Route, headers: IncomingHttpHeaders): void {
  if (Number(headers['content-length'] ?? 0) > route.maxBodyBytes) {
    throw new DomainError('too_large', 'too_large', 'The request is too large.')
  }
  if (route.body !== 'json') return
  const type = headers['content-type']
  const isJson = type === undefined ? !hasBody(headers) : jsonForm.test(type)
  if (!isJson || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new DomainError('unsupported', 'unsupported_media_type', 'Send application/json.')
  }
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
