import { trace } from '@marketplace/kit/telemetry/trace.ts'
import type { WebSettings } from './config.ts'

export type Upstreams = Pick<WebSettings, 'PUBLIC_ORIGIN' | 'CATALOG_URL' | 'SEARCH_URL' | 'PRERENDER_TIMEOUT_MS'>

export interface PublicResponse<Body> {
  body: Body
  headers: Headers
}

/**
 * Requests a public route of a service, without a viewer id, so that the request does not count as a view. Returns null
 * for a 404 response, and throws for any other error.
 */
export async function fetchPublic<Body>(url: URL, signal: AbortSignal): Promise<PublicResponse<Body> | null> {
  const traceparent = trace.current()?.traceparent
  const headers = { accept: 'application/json', ...(traceparent && { traceparent }) }
  const response = await fetch(url, { signal, redirect: 'error', headers })
  if (response.ok) return { body: await response.json(), headers: response.headers }
  await response.body?.cancel()
  if (response.status === 404) return null
  throw new Error(`${url.pathname} returned status ${response.status}.`)
}
