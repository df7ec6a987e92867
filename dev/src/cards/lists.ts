import { integer, type Form } from './form.ts'
import type { Answer } from './idempotency.ts'
import { invalidRequest } from './problems.ts'

/** So many records, newest first, from behind the one named. */
export type Stretch = { readonly after: string | null; readonly count: number }

const USUAL = 10
const MOST = 100

/** One page of a list as Stripe answers it. */
export function page(url: string, form: Form, read: (stretch: Stretch) => readonly unknown[]): Answer {
  const limit = form.has('limit') ? integer(form, 'limit') : USUAL
  if (limit < 1 || limit > MOST)
    throw invalidRequest(`Invalid limit: ${limit}, must be 1 to ${MOST}`, 'parameter_invalid_integer', 'limit')
  // One more than asked for tells whether there is another page.
  const found = read({ after: form.get('starting_after') ?? null, count: limit + 1 })
  const body = { object: 'list', url, has_more: found.length > limit, data: found.slice(0, limit) }
  return { status: 200, body }
}
