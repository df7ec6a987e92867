import http from 'k6/http'
import { auctions, listings } from './seed.ts'
import { base } from './send.ts'

interface Attack {
  method: 'GET' | 'POST'
  path: string
  body?: object | string
}

type AttackOf = (number: number) => Attack

const emoji = '\u{1F4A3}'
const longUrls = Array.from({ length: 12 }, (_, n) => `https://example.com/${n}${'a'.repeat(2026)}`)

const get = (path: string): Attack => ({ method: 'GET', path })
const post = (path: string, body: object | string): Attack => ({ method: 'POST', path, body })

function of(items: readonly string[], number: number): string {
  return items[number % items.length] ?? ''
}

/** Reads that are as expensive as the API allows. */
export const attackReads: readonly AttackOf[] = [
  () => get('/api/listings?limit=100'),
  () => get('/api/users/me/listings?limit=100'),
  (number) => get(`/api/listings?search=${encodeURIComponent('a b c d e f g h '.repeat(12))}${number}&limit=100`),
  (number) => get(`/api/listings?search=lamp&minPrice=${number % 100}&sort=price-desc&limit=100`),
  (number) => get(`/api/search/suggestions?q=${of(['l', 'wa', 'bycicle', 'q'], number)}`),
  () => get(`/api/auctions/${auctions[0]}/bids?limit=100`),
  () => get('/api/conversations?limit=100'),
  () => get('/api/watchlist?limit=100&search=a'),
  () => get('/api/transactions?limit=100'),
  (number) => get(`/api/listings/${of(listings, number)}`),
]

/** Writes that fill what others read or wait for. */
export const attackWrites: readonly AttackOf[] = [
  (number) =>
    post('/api/listings', {
      title: `Attack ${number}`,
      description: emoji.repeat(2000),
      category_id: 1,
      price: 1,
      image_urls: longUrls,
    }),
  (number) => post('/api/bids', { listing_id: of(auctions, number % 20), amount: 10.01 + number / 100 }),
  () => post('/api/bids', { listing_id: auctions[0], amount: 9_999_999.99 }),
  (number) => post('/api/payments/create-intent', { listing_id: of(listings, number), transaction_type: 'buy_now' }),
  (number) => post('/api/conversations', { listing_id: of(listings, number), message_text: 'x'.repeat(1000) }),
  (number) => post('/api/offers', { listing_id: of(listings, number), amount: 0.01 }),
  (number) => post('/api/watchlist', { listing_id: of(listings, number) }),
  (number) => post('/api/search/track', { search_term: `lamp ${number}`, session_id: `s${number}`, result_count: 99 }),
  () => post('/api/stripe/webhook', 'x'.repeat(60_000)),
]

interface Attacker {
  cookie: string
  address: string
  number: number
}

/** Sends one of the requests, in turn; returns its status, 0 without a response. */
export function attack(kinds: readonly AttackOf[], { cookie, address, number }: Attacker): number {
  const kind = kinds[number % kinds.length]
  if (!kind) return 0
  const { method, path, body } = kind(Math.floor(number / kinds.length))
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { status } = http.request(method, base + path, body === undefined ? null : text, {
    headers: { Cookie: cookie, 'X-Forwarded-For': address, 'Content-Type': 'application/json' },
    tags: { name: 'attack' },
    redirects: 0,
    responseCallback: http.expectedStatuses({ min: 200, max: 499 }),
  })
  return status
}
