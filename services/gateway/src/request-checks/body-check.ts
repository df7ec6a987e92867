import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Route } from '../routing/route.ts'

const jsonPattern = /^application\/json(?:[ \t]*;[ \t]*charset="?utf-8"?)?$/i

/**
 * Returns whether servers could disagree about the length of the body: Transfer-Encoding has a value other than a
 * single `chunked` (RFC 9112, section 6.1).
 */
export function hasAmbiguousLength({ 'transfer-encoding': coding }: IncomingHttpHeaders): boolean {
  return coding !== undefined && coding.toLowerCase() !== 'chunked'
}

/** Checks the declared size and the media type of the body. The actual size is checked while the body is read. */
export function checkBody(route: Route, headers: IncomingHttpHeaders): void {
  if (Number(headers['content-length'] ?? 0) > route.maxBodyBytes) {
    throw new DomainError('too_large', 'too_large', 'The request is too large.')
  }
  if (route.body !== 'json') return
  const type = headers['content-type']
  const isJson = type === undefined ? !hasBody(headers) : jsonPattern.test(type)
  if (!isJson || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new DomainError('unsupported', 'unsupported_media_type', 'Send application/json.')
  }
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
