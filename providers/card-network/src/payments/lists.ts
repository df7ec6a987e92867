import { integer, type Form } from '../http/form.ts'
import type { CallResponse } from '../http/idempotency.ts'
import { invalidRequest } from '../http/problems.ts'

/** A page of a list: at most `count` records after the one named, newest first. */
export interface PageRange {
  readonly after: string | null
  readonly count: number
}

const defaultLimit = 10
const maxLimit = 100

/** Returns one page of a list in Stripe's format. */
export function page(url: string, form: Form, read: (range: PageRange) => readonly unknown[]): CallResponse {
  const limit = form.has('limit') ? integer(form, 'limit') : defaultLimit
  if (limit < 1 || limit > maxLimit)
    throw invalidRequest(`Invalid limit: ${limit}, must be 1 to ${maxLimit}`, 'parameter_invalid_integer', 'limit')
  // One record more than the limit is read, to set `has_more`.
  const found = read({ after: form.get('starting_after') ?? null, count: limit + 1 })
  const body = { object: 'list', url, has_more: found.length > limit, data: found.slice(0, limit) }
  return { status: 200, body }
}
