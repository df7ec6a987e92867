import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { random } from '../harness/random.ts'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** The statuses that count as right. */
  expect: readonly number[]
}

const people = 40
const [fixedPrices, auctions] = [160, 40]
const words = [
  'brass',
  'lamp',
  'steel',
  'watch',
  'oak',
  'chair',
  'field',
  'camera',
  'wool',
  'coat',
  'glass',
  'vase',
  'bicylce',
  'camrea',
]
const orders = ['', '&sort=newest', '&sort=price-asc', '&sort=price-desc', '&sort=ending-soon']
const titles = [
  'Brass lamp',
  'Steel watch',
  'Oak chair',
  'Field camera',
  'Wool coat',
  'Glass vase',
  'Road bicycle',
] as const
const dayMs = 86_400_000

/**
 * Signs in users, lists items, and returns a function with the n-th request. The sequence of kinds is always the same.
 */
export async function makeTraffic(base: string): Promise<(number: number) => Request> {
  const signedIn = await Promise.all(
    Array.from({ length: people }, (_, number) => MarketplaceClient.signIn(base, `mixed.${number}@example.com`)),
  )
  const { listings, auctioned } = await list(signedIn)
  const cookies = signedIn.map((person) => person.cookieHeader())
  const chance = random(4)
  const startedAt = Date.now()
  const one = (from: readonly string[]) => from[chance.below(from.length)] ?? ''
  const kinds: readonly (() => Omit<Request, 'headers'>)[] = [
    ...many(6, () => get(`/api/listings?limit=24${one(orders)}`)),
    ...many(5, () => get(`/api/listings?search=${one(words)}${one(orders)}`)),
    ...many(6, () => get(`/api/listings/${one([...listings, ...auctioned])}`)),
    ...many(2, () => get(`/api/search/suggestions?q=${one(words).slice(0, 3)}`)),
    ...many(1, () => get('/api/transactions')),
    ...many(1, () => get('/api/watchlist')),
    ...many(1, () => post('/api/watchlist', { listing_id: one(listings) }, [200, 201, 409])),
    ...many(2, () => post('/api/bids', { listing_id: one(auctioned), amount: priceAfter(startedAt) }, [201, 409])),
  ]
  return (number) => {
    const kind = kinds[(number * 7) % kinds.length] ?? kinds[0]
    const cookie = cookies[20 + (number % (people - 20))] ?? ''
    const address = `10.0.${(number >> 8) % 256}.${number % 256}`
    const headers = { cookie, 'x-forwarded-for': address, 'content-type': 'application/json' }
    return { ...(kind ?? (() => get('/api/listings')))(), headers }
  }
}

// One cent more every ten milliseconds. Divided last, since sums of dollars need not be whole cents.
function priceAfter(startedAt: number): number {
  return Math.round(1500 + (Date.now() - startedAt) / 10) / 100
}

async function list(signedIn: readonly MarketplaceClient[]): Promise<{ listings: string[]; auctioned: string[] }> {
  const [category] = (await signedIn[0]?.get<{ id: number }[]>('/api/categories')) ?? []
  const make = async (number: number, terms: object) => {
    const body = { title: `${titles[number % titles.length]}, number ${number}`, category_id: category?.id, ...terms }
    return (await signedIn[number % 20]?.post<{ id: string }>('/api/listings', body))?.id ?? ''
  }
  const ends = { is_auction: true, starting_bid: 10, auction_end_date: new Date(Date.now() + dayMs).toISOString() }
  const all = (count: number, terms: (number: number) => object) =>
    Promise.all(Array.from({ length: count }, (_, number) => make(number, terms(number))))
  return {
    listings: await all(fixedPrices, (number) => ({ price: 10 + number })),
    auctioned: await all(auctions, () => ends),
  }
}

function many<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item)
}

function get(path: string): Omit<Request, 'headers'> {
  return { method: 'GET', path, expect: [200] }
}

function post(path: string, body: object, expect: readonly number[]): Omit<Request, 'headers'> {
  return { method: 'POST', path, body: JSON.stringify(body), expect }
}
