import createClient from 'openapi-fetch'
import { callApi } from './http.ts'
import type { paths } from '../schema.gen.ts'

/**
 * API client with types that are generated from the OpenAPI document. A call rejects with ApiError for an error response, and
 * with the error of `fetch` for a network failure.
 */
export const api = createClient<paths>({ fetch: callApi })

/** Returns the response body. Throws if the response has no body. */
export async function responseBody<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  if (data === undefined) throw new Error('The response has no body.')
  return data
}
