import { publicGet, criticalPost, get, patch, pictureFile, post, remove, upload, webhook, type Route } from './route.ts'

/** Public routes, most specific first. Paths are routed only by this table. */
export const routeTable: readonly Route[] = [
  { ...get, template: '/api/users/me', to: 'users' },
  { ...get, template: '/api/users/me/listings', to: 'catalog' },
  { ...post, template: '/api/users/me/sessions/end-others', to: 'users' },
  { ...remove, template: '/api/users/me/sessions/{id}', to: 'users' },
  { ...get, template: '/api/users/me/sessions', to: 'users' },
  { ...get, template: '/api/users/notification-preferences', to: 'users' },
  { ...post, template: '/api/users/notification-preferences', to: 'users' },
  { ...publicGet, template: '/api/users/{id}/profile', to: 'users', session: 'none' },
  { ...publicGet, template: '/api/users/{id}/reply-time', to: 'messaging', session: 'none' },
  { ...remove, template: '/api/blocks/{id}', to: 'users' },
  { ...get, template: '/api/blocks', to: 'users' },
  { ...post, template: '/api/blocks', to: 'users' },
  { ...get, template: '/api/logout', to: 'users', session: 'open', rate: 'write', cookies: ['refresh'], isWrite: true },
  {
    ...get,
    template: '/api/oauth/{provider}/redirect_url',
    to: 'users',
    session: 'none',
    deadline: 'slow',
    cookies: ['login'],
    isWrite: true,
  },
  {
    ...post,
    template: '/api/sessions',
    to: 'users',
    session: 'none',
    deadline: 'slow',
    rate: 'sign-in',
    cookies: ['login'],
  },

  { ...publicGet, template: '/api/categories', to: 'catalog', session: 'none' },
  { ...post, template: '/api/listings', to: 'catalog' },
  { ...post, template: '/api/listings/{id}/end', to: 'catalog' },
  { ...post, template: '/api/listings/{id}/relist', to: 'catalog' },
  { ...publicGet, template: '/api/listings/{id}/prices', to: 'catalog', session: 'none' },
  { ...get, template: '/api/listings/{id}/revisions/{number}', to: 'catalog' },
  { ...patch, template: '/api/listings/{id}', to: 'catalog' },
  { ...publicGet, template: '/api/listings/{id}', to: 'catalog', countsViews: true },
  { ...publicGet, template: '/api/listings', to: 'search' },

  { ...post, template: '/api/pictures', to: 'catalog' },
  { ...post, template: '/api/pictures/{id}/complete', to: 'catalog', deadline: 'slow' },
  { ...get, template: '/api/pictures/{id}', to: 'catalog' },
  { ...remove, template: '/api/pictures/{id}', to: 'catalog' },
  { ...upload, template: '/api/uploads', to: 'catalog' },
  { ...pictureFile, template: '/pictures/{key}/{picture}', to: 'catalog' },

  { ...criticalPost, template: '/api/offers/{id}/accept', to: 'catalog' },
  { ...post, template: '/api/offers/{id}/reject', to: 'catalog' },
  { ...post, template: '/api/offers/{id}/withdraw', to: 'catalog' },
  { ...post, template: '/api/offers/{id}/counter', to: 'catalog' },
  { ...post, template: '/api/offers', to: 'catalog' },
  { ...get, template: '/api/offers', to: 'catalog' },

  { ...get, template: '/api/watchlist/check/{id}', to: 'catalog' },
  { ...remove, template: '/api/watchlist/{id}', to: 'catalog' },
  { ...get, template: '/api/watchlist', to: 'catalog' },
  { ...post, template: '/api/watchlist', to: 'catalog' },

  { ...publicGet, template: '/api/search/trending', to: 'search' },
  { ...publicGet, template: '/api/search/history', to: 'search' },
  { ...publicGet, template: '/api/search/suggestions', to: 'search' },
  { ...post, template: '/api/search/track', to: 'search', session: 'open', priority: 'low' },

  { ...criticalPost, template: '/api/bids', to: 'auction' },
  { ...get, template: '/api/users/me/bids', to: 'auction' },
  { ...get, template: '/api/auctions/{id}', to: 'auction', session: 'open' },
  { ...publicGet, template: '/api/auctions/{id}/bids', to: 'auction' },
  { ...get, template: '/api/auctions/{id}/stream', to: 'gateway', session: 'verified' },

  { ...criticalPost, template: '/api/auctions/{id}/buy-now', to: 'payments', deadline: 'slow' },
  { ...get, template: '/api/stripe/config', to: 'payments', session: 'none' },
  { ...webhook, template: '/api/stripe/webhook', to: 'payments' },
  { ...criticalPost, template: '/api/payments/create-intent', to: 'payments', deadline: 'slow' },
  { ...criticalPost, template: '/api/payments/confirm', to: 'payments', deadline: 'slow' },
  { ...criticalPost, template: '/api/payments/cancel', to: 'payments', deadline: 'slow' },
  { ...get, template: '/api/transactions', to: 'payments' },

  { ...get, template: '/api/conversations/{id}/messages', to: 'messaging' },
  { ...post, template: '/api/conversations/{id}/mark-read', to: 'messaging' },
  { ...get, template: '/api/conversations/{id}', to: 'messaging' },
  { ...post, template: '/api/conversations', to: 'messaging' },
  { ...get, template: '/api/conversations', to: 'messaging' },
  { ...post, template: '/api/messages', to: 'messaging' },

  { ...post, template: '/api/chat', to: 'messaging', session: 'open', deadline: 'slow', rate: 'chat' },

  { ...get, template: '/api/openapi.json', to: 'gateway', session: 'none' },
  { ...post, template: '/api/csp-reports', to: 'gateway', session: 'none', body: 'raw' },
  { ...get, template: '/api/docs', to: 'gateway', session: 'none', rate: 'page' },
  { ...get, template: '/api/docs/{file}', to: 'gateway', session: 'none', rate: 'page' },
]

/** Route of all paths outside /api, that is, of pages and files. The web service decides what each path shows. */
export const webRoute: Route = { ...publicGet, template: '/', to: 'web', session: 'none', rate: 'page' }
