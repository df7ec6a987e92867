import type { Form } from './form.ts'
import type { Caller } from '../payments/intent-call.ts'
import { Problem } from './problems.ts'

export interface ApiKeys {
  readonly secret: string
  readonly publishable: string
}

/**
 * Returns the caller by its API key, from the header (servers) or the form (browsers). Throws 401 for any other key.
 */
export function callerOf(keys: ApiKeys, authorization: string | undefined, form: Form): Caller {
  const key = keyOf(authorization) ?? form.get('key')
  if (key === keys.secret) return 'secret'
  if (key === keys.publishable) return 'publishable'
  const message =
    key === undefined
      ? 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
      : `Invalid API Key provided: ${key.slice(0, 8)}***`
  throw new Problem(401, { type: 'invalid_request_error', message })
}

function keyOf(authorization: string | undefined): string | undefined {
  const [scheme = '', credentials = ''] = authorization?.split(' ') ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials
  if (scheme.toLowerCase() === 'basic') return Buffer.from(credentials, 'base64').toString().split(':')[0]
  return undefined
}
