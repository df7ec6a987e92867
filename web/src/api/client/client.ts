import createClient from 'openapi-fetch'
import { callApi } from './http.ts'
import type { paths } from '../schema.gen.ts'

/** Typed client generated from the OpenAPI document. An error response rejects with ApiError, a network failure with fetch's error. */
export const api = createClient<paths>({ fetch: callApi })

/** Returns the response body; throws if there is none. */
export async function responseBody<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  if (data === undefined) throw new Error('The response has no body.')
  return data
}
