import type { CookieNames } from '@marketplace/kit/cookies.ts'

// What the public can reach, most specific first. Nothing else decides where a path leads.
export type Service = 'catalog' | 'auction' | 'payments' | 'messaging' | 'search' | 'users' | 'web'

export type TimeLimit = 'usual' | 'slow'

export interface Route {
  method: 'GET' | 'POST'
  template: string
  /** `gateway` answers by itself. */
  to: Service | 'gateway'
  /** closed: 401 when signed out; open: the session goes along when there is one; none: it is not looked at. */
  session: 'closed' | 'open' | 'none'
  /** raw: any media type, from any origin, untouched (the sender proves itself by a signature over the bytes). */
  body: 'none' | 'json' | 'raw'
  maxBodyBytes: number
  /** slow: waits for the card network or the identity provider. */
  timeLimit: TimeLimit
  /** Which of our cookies go there; where any may, the answer may set cookies. */
  cookies: readonly (keyof CookieNames)[]
  /** A GET that changes something is judged as a write: it must come from our own pages. */
  isWrite: boolean
}

const kib = 1024

const read = { body: 'none', maxBodyBytes: 64 * kib, timeLimit: 'usual', cookies: [], isWrite: false } as const
const write = { ...read, body: 'json', isWrite: true } as const
const webhook = { ...write, body: 'raw', maxBodyBytes: 256 * kib, timeLimit: 'slow' } as const

export const routeTable: readonly Route[] = [
  { method: 'GET', template: '/api/users/me', to: 'users', session: 'closed', ...read },
  { method: 'GET', template: '/api/users/me/listings', to: 'catalog', session: 'closed', ...read },
  {
    method: 'GET',
    template: '/api/logout',
    to: 'users',
    session: 'open',
    ...read,
    cookies: ['refresh'],
    isWrite: true,
  },
  {
    method: 'GET',
    template: '/api/oauth/{provider}/redirect_url',
    to: 'users',
    session: 'none',
    ...read,
    timeLimit: 'slow',
    cookies: ['login'],
    isWrite: true,
  },
  {
    method: 'POST',
    template: '/api/sessions',
    to: 'users',
    session: 'none',
    ...write,
    timeLimit: 'slow',
    cookies: ['login'],
  },

  { method: 'GET', template: '/api/categories', to: 'catalog', session: 'none', ...read },
  { method: 'POST', template: '/api/listings', to: 'catalog', session: 'closed', ...write },
  { method: 'GET', template: '/api/listings/{id}', to: 'catalog', session: 'open', ...read },
  { method: 'GET', template: '/api/listings', to: 'search', session: 'open', ...read },

  { method: 'POST', template: '/api/bids', to: 'auction', session: 'closed', ...write },
  { method: 'GET', template: '/api/auctions/{id}/bids', to: 'auction', session: 'open', ...read },

  { method: 'GET', template: '/api/stripe/config', to: 'payments', session: 'none', ...read },
  { method: 'POST', template: '/api/stripe/webhook', to: 'payments', session: 'none', ...webhook },
  {
    method: 'POST',
    template: '/api/payments/create-intent',
    to: 'payments',
    session: 'closed',
    ...write,
    timeLimit: 'slow',
  },
  {
    method: 'POST',
    template: '/api/payments/confirm',
    to: 'payments',
    session: 'closed',
    ...write,
    timeLimit: 'slow',
  },
  {
    method: 'POST',
    template: '/api/payments/cancel',
    to: 'payments',
    session: 'closed',
    ...write,
    timeLimit: 'slow',
  },
  { method: 'GET', template: '/api/transactions', to: 'payments', session: 'closed', ...read },

  { method: 'GET', template: '/api/conversations/{id}/messages', to: 'messaging', session: 'closed', ...read },
  { method: 'POST', template: '/api/conversations/{id}/mark-read', to: 'messaging', session: 'closed', ...write },
  { method: 'POST', template: '/api/conversations', to: 'messaging', session: 'closed', ...write },
  { method: 'GET', template: '/api/conversations', to: 'messaging', session: 'closed', ...read },
  { method: 'POST', template: '/api/messages', to: 'messaging', session: 'closed', ...write },

  { method: 'GET', template: '/api/openapi.json', to: 'gateway', session: 'none', ...read },
]

/** Everything that is not under /api: pages and files. Web finds its own way below it. */
export const webRoute: Route = { method: 'GET', template: '/', to: 'web', session: 'none', ...read }

// Names of other processes' internal ports and of leftovers; the web app's history fallback would answer 200.
const hiddenNames = new Set(['livez', 'readyz', 'metrics', 'docs', 'openapi.json', 'debug', '__flags', 'jwks.json'])

/** Never a page or a file of ours: hidden files, source maps, operational names. */
export function isHidden(path: string): boolean {
  const [first = '', ...rest] = path.slice(1).split('/')
  if (hiddenNames.has(first.toLowerCase()) || path.endsWith('.map')) return true
  return [first, ...rest].some((segment) => segment.startsWith('.') && segment !== '.well-known')
}
