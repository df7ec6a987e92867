import createClient from 'openapi-fetch'
import { callApi } from './http.ts'
import type { paths } from './schema.gen.ts'

/** Our API by its OpenAPI document: a refusal rejects with ApiError, a network failure with fetch's own error. */
export const api = createClient<paths>({ fetch: callApi })

/** The body of an answer. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  if (data === undefined) throw new Error('The server answered without a body.')
  return data
}
