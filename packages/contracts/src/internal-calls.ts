type Caller = 'gateway' | 'catalog' | 'auction' | 'payments' | 'messaging' | 'search' | 'web'

export interface InternalCall {
  from: Caller
  to: 'catalog' | 'auction' | 'users' | 'search'
  port: 'internal' | 'public'
  /** Name of the RPC, or method and path of the HTTP request. */
  call: string
  purpose: string
  /** Default deadline in ms. */
  deadlineMs: number
  /** What the caller does when the deadline passes or the call fails. */
  fallback: string
}

type Details = Omit<InternalCall, 'from' | 'to'>

const hold: Details = {
  port: 'internal',
  call: 'Hold',
  purpose: 'reserve an item for a buyer',
  deadlineMs: 2000,
  fallback: '503; the sweeper continues',
}
const settle: Details = {
  port: 'internal',
  call: 'Settle',
  purpose: 'report that a sale was paid or released',
  deadlineMs: 500,
  fallback: 'the event of the sale has the same effect',
}
const getProfiles: Details = {
  port: 'internal',
  call: 'GetProfiles',
  purpose: 'names and pictures of people, cached for 60 s',
  deadlineMs: 250,
  fallback: '`null` instead of the name',
}
const getSigningKeys: Details = {
  port: 'internal',
  call: 'GET /jwks.json',
  purpose: 'verify access tokens',
  deadlineMs: 3000,
  fallback: 'keys that were read before stay in use',
}
const takePersonalData: Details = {
  port: 'internal',
  call: 'TakePersonalData',
  purpose: 'receipt for a step of a request about personal data',
  deadlineMs: 5000,
  fallback: 'retried until it succeeds',
}

/**
 * All calls between services, except the requests that the gateway forwards. The calls form no cycle, and
 * NetworkPolicies block every other call.
 */
export const internalCalls: readonly InternalCall[] = [
  {
    from: 'gateway',
    to: 'users',
    port: 'internal',
    call: 'RefreshSession',
    purpose: 'rotate a refresh token',
    deadlineMs: 1000,
    fallback: '503; never 401, and the cookies stay',
  },
  {
    from: 'gateway',
    to: 'auction',
    port: 'public',
    call: 'GET /api/auctions/{id}/bids',
    purpose: 'newest bids for the first state of a live stream',
    deadlineMs: 1000,
    fallback: 'states without these bids until a later read succeeds',
  },
  { from: 'payments', to: 'catalog', ...hold },
  { from: 'payments', to: 'catalog', ...settle },
  { from: 'payments', to: 'auction', ...hold },
  { from: 'payments', to: 'auction', ...settle },
  { from: 'payments', to: 'users', ...getProfiles },
  {
    from: 'catalog',
    to: 'auction',
    port: 'internal',
    call: 'OpenAuction',
    purpose: 'create the auction before its listing is stored',
    deadlineMs: 2000,
    fallback: '503; no listing is created',
  },
  {
    from: 'catalog',
    to: 'auction',
    port: 'internal',
    call: 'DropAuction',
    purpose: 'delete an auction whose listing was not stored within an hour',
    deadlineMs: 2000,
    fallback: 'retried by the next sweep',
  },
  {
    from: 'catalog',
    to: 'auction',
    port: 'internal',
    call: 'GetAuctions',
    purpose: 'live price and state of listings',
    deadlineMs: 250,
    fallback: 'the newest projected bid, with the header `X-Stale: bids`',
  },
  { from: 'catalog', to: 'users', ...getProfiles },
  {
    from: 'messaging',
    to: 'catalog',
    port: 'internal',
    call: 'GetListings',
    purpose: 'listing of the first message of a conversation',
    deadlineMs: 1000,
    fallback: '503',
  },
  { from: 'messaging', to: 'users', ...getProfiles },
  {
    from: 'search',
    to: 'catalog',
    port: 'internal',
    call: 'GetListings',
    purpose: 'rebuild of the index',
    deadlineMs: 1000,
    fallback: 'retried for a minute, then the rebuild fails',
  },
  {
    from: 'search',
    to: 'auction',
    port: 'internal',
    call: 'GetAuctions',
    purpose: 'rebuild of the index',
    deadlineMs: 250,
    fallback: 'retried for a minute, then the rebuild fails',
  },
  {
    from: 'web',
    to: 'catalog',
    port: 'public',
    call: 'GET /api/listings/{id}, GET /api/categories',
    purpose: 'initial data of a page',
    deadlineMs: 300,
    fallback: 'the page loads the data itself',
  },
  {
    from: 'web',
    to: 'search',
    port: 'public',
    call: 'GET /api/listings, GET /api/search/trending',
    purpose: 'initial data of the home page and of results',
    deadlineMs: 300,
    fallback: 'the page loads the data itself',
  },
  ...(['gateway', 'catalog', 'auction', 'payments', 'messaging', 'search'] as const).map((from): InternalCall => ({
    from,
    to: 'users',
    ...getSigningKeys,
  })),
  ...(['catalog', 'auction', 'payments', 'messaging', 'search'] as const).map((from): InternalCall => ({
    from,
    to: 'users',
    ...takePersonalData,
  })),
]
