import { trace } from '@marketplace/kit/trace.ts'
import type { WebSettings } from './config.ts'

export type Neighbours = Pick<WebSettings, 'PUBLIC_ORIGIN' | 'CATALOG_URL' | 'SEARCH_URL' | 'FILL_TIMEOUT_MS'>

export interface PublicAnswer<Body> {
  body: Body
  headers: Headers
}

/** A service's public answer, read as somebody signed out whom no view is counted for; null on 404, else it throws. */
export async function readPublic<Body>(url: URL, signal: AbortSignal): Promise<PublicAnswer<Body> | null> {
  const traceparent = trace.current()?.traceparent
  const headers = { accept: 'application/json', ...(traceparent && { traceparent }) }
  const response = await fetch(url, { signal, redirect: 'error', headers })
  if (response.ok) return { body: await response.json(), headers: response.headers }
  await response.body?.cancel()
  if (response.status === 404) return null
  throw new Error(`${url.pathname} was answered with ${response.status}.`)
}
