import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'

export type Service = 'catalog' | 'auction' | 'payments' | 'messaging' | 'search' | 'users' | 'web'

export type DeadlineClass = 'normal' | 'slow'

/**
 * Kind of request with its own rate limit. `page`: pages and files, which get the security headers for pages.
 * `webhook`: requests with a signature instead of a session, which are counted per network.
 */
export type RateClass = 'read' | 'write' | 'sign-in' | 'chat' | 'page' | 'webhook'

/**
 * Order of rejection under load: `low` (browsing) first, then `normal`, and `critical` (requests that move money or
 * decide who gets an item) last.
 */
export type Priority = 'low' | 'normal' | 'critical'

/** An entry of the route table, with everything that the gateway checks before it forwards a request. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  template: string
  /** `gateway` marks routes that the gateway serves itself. */
  to: Service | 'gateway'
  /**
   * `closed`: a request without a session gets 401. `open`: the session is forwarded if there is one. `verified`, for
   * live streams: like `open`, but an expired session is not refreshed, because a stream cannot set cookies. `none`:
   * the session is ignored.
   */
  session: 'closed' | 'open' | 'verified' | 'none'
  /**
   * `raw`: a webhook or browser report with any media type, from any origin; its bytes are not changed. `stream`: an
   * upload with any media type, from the site's own origin; it is forwarded while it arrives.
   */
  body: 'none' | 'json' | 'raw' | 'stream'
  maxBodyBytes: number
  /**
   * `slow`: for uploads, webhooks, and routes on which the service waits for the card network, the identity provider,
   * the assistant or the picture worker.
   */
  deadline: DeadlineClass
  rate: RateClass
  priority: Priority
  /** Request cookies that are forwarded to the service. The service can set cookies only if this list is not empty. */
  cookies: readonly (keyof CookieNames)[]
  /**
   * Whether the request changes state (true for some GET routes too). To prevent CSRF, such requests from other sites
   * are rejected.
   */
  isWrite: boolean
  /**
   * Whether the service counts views on this route. If so, requests from signed-out visitors are forwarded with the id
   * of the visitor's browser.
   */
  countsViews: boolean
  /** Whether pages of any origin can embed and read the response. */
  isShared: boolean
}

const kib = 1024

/** Defaults for a read that requires a session. Each route can override them. */
export const get = {
  method: 'GET',
  session: 'closed',
  body: 'none',
  maxBodyBytes: 64 * kib,
  deadline: 'normal',
  rate: 'read',
  priority: 'normal',
  cookies: [],
  isWrite: false,
  countsViews: false,
  isShared: false,
} as const

/** Defaults for a read that does not require a session. */
export const publicGet = { ...get, session: 'open', priority: 'low' } as const

/** Defaults for a write that requires a session. */
export const post = { ...get, method: 'POST', body: 'json', rate: 'write', isWrite: true } as const

/** Defaults for a write that moves money or decides who gets an item. */
export const criticalPost = { ...post, priority: 'critical' } as const

export const patch = { ...post, method: 'PATCH' } as const

export const put = { ...post, method: 'PUT' } as const

export const remove = { ...post, method: 'DELETE' } as const

/**
 * Defaults for the picture upload route. The body limit is the largest picture plus 64 KiB for the other form fields.
 * No session is needed, because the form contains a signed upload permission.
 */
export const upload = {
  ...post,
  session: 'none',
  body: 'stream',
  maxBodyBytes: 12 * 1024 * kib + 64 * kib,
  deadline: 'slow',
} as const

/** Defaults for the route that serves picture files. */
export const pictureFile = { ...publicGet, session: 'none', rate: 'page', isShared: true } as const

/**
 * Defaults for card provider webhooks. The body is forwarded unchanged, because the provider's signature covers the raw
 * bytes. The body limit is 64 KiB, as in the payments service, which handles the webhooks.
 */
export const webhook = {
  ...criticalPost,
  session: 'none',
  body: 'raw',
  deadline: 'slow',
  rate: 'webhook',
} as const
