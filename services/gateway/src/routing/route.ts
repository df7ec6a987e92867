import type { CookieNames } from '@marketplace/kit/cookies.ts'

export type Service = 'catalog' | 'auction' | 'payments' | 'messaging' | 'search' | 'users' | 'web'

export type TimeLimit = 'usual' | 'slow'

/** Which of the request limits counts it; see `limits/`. page: pages and files, which get the headers of pages. unlimited: the sender proves itself and comes from few addresses. */
export type RateClass = 'read' | 'write' | 'sign-in' | 'chat' | 'page' | 'unlimited'

/** Who has to wait first when a service is overrun: browsing before the rest, what moves money or decides an auction last. */
export type Importance = 'browsing' | 'usual' | 'money'

/** A row of the table: what the gateway has to know of a call before it sends it on. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  template: string
  /** `gateway` answers by itself. */
  to: Service | 'gateway'
  /** closed: 401 when signed out; open: the session goes along when there is one; none: it is not looked at. */
  session: 'closed' | 'open' | 'none'
  /** raw: any media type, from any origin, untouched (signed over its bytes, or of no effect but a line in the log). */
  body: 'none' | 'json' | 'raw'
  maxBodyBytes: number
  /** slow: waits for the card network, the identity provider or the assistant. */
  timeLimit: TimeLimit
  rate: RateClass
  importance: Importance
  /** Which of our cookies go there; where any may, the answer may set cookies. */
  cookies: readonly (keyof CookieNames)[]
  /** A GET that changes something is judged as a write: it must come from our own pages. */
  isWrite: boolean
  /** Tells the service which browser reads when nobody is signed in, since it counts views. */
  countsViews: boolean
}

const kib = 1024

/** A read for somebody signed in; the rows say where they differ. */
export const get = {
  method: 'GET',
  session: 'closed',
  body: 'none',
  maxBodyBytes: 64 * kib,
  timeLimit: 'usual',
  rate: 'read',
  importance: 'usual',
  cookies: [],
  isWrite: false,
  countsViews: false,
} as const

/** A read for anybody. */
export const browse = { ...get, session: 'open', importance: 'browsing' } as const

/** A write by somebody signed in. */
export const post = { ...get, method: 'POST', body: 'json', rate: 'write', isWrite: true } as const

/** A write that moves money or decides who gets an item. */
export const deal = { ...post, importance: 'money' } as const

export const remove = { ...post, method: 'DELETE' } as const

/** A call of a provider's, signed over its bytes. */
export const webhook = {
  ...deal,
  session: 'none',
  body: 'raw',
  maxBodyBytes: 256 * kib,
  timeLimit: 'slow',
  rate: 'unlimited',
} as const
