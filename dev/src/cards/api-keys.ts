import type { Form } from './form.ts'
import type { Caller } from './payment-intents.ts'
import { Problem } from './problems.ts'

export type ApiKeys = { readonly secret: string; readonly publishable: string }

/** Who calls, by the key in the header (servers) or in the form (browsers). */
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
