import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { Needs } from './options.ts'

/** The data that the scripts read: see k6/seed.ts. */
export interface Seed {
  /** Cookie headers of the users. The first ones are the sellers. */
  people: string[]
  sellers: number
  listings: string[]
  auctions: string[]
  /** When the auctions end, ms since the epoch. */
  endAt: number
}

interface Created {
  id: string
}

const defaultSellers = 20
// MAX_NEW_MEMBER_LISTINGS_PER_DAY of the catalog service.
const listingsOfNewMember = 10
const atOnce = 8
// The time that k6 takes to start its virtual users.
const startMs = 15_000

/** Returns needs with so many sellers that each can list its items as a new member, and as many buyers as before. */
export function ofNewMembers({ sellers = defaultSellers, ...needs }: Needs): Needs {
  const more = Math.max(0, Math.ceil((needs.listings + needs.auctions) / listingsOfNewMember) - sellers)
  return { ...needs, people: needs.people + more, sellers: sellers + more }
}

/** Signs in users and lists their items through the public API. */
export async function seed(base: string, { sellers = defaultSellers, ...needs }: Needs): Promise<Seed> {
  const people = await signInAll(base, Math.max(needs.people, needs.listings + needs.auctions > 0 ? sellers : 0))
  const [category] = await new MarketplaceClient(base).get<{ id: number }[]>('/api/categories')
  const list = (number: number, terms: object) =>
    people[number % Math.min(sellers, people.length)]?.post<Created>('/api/listings', {
      title: `${names[number % names.length]}, number ${number}`,
      description: 'Created by a load test; it cannot be shipped.',
      category_id: category?.id,
      ...terms,
    })
  const listings = await inTurn(needs.listings, (number) => list(number, { price: 10 + number, shipping_cost: 4.5 }))
  // The auctions must end after they are listed, which takes about 25 ms each on an idle machine.
  const endAt = Date.now() + needs.auctions * 60 + startMs + needs.endsInMs
  const terms = { is_auction: true, starting_bid: 10, auction_end_date: new Date(endAt).toISOString() }
  const auctions = await inTurn(needs.auctions, (number) => list(number, terms))
  return { people: people.map((person) => person.cookieHeader()), sellers, listings, auctions, endAt }
}

const names = ['Brass lamp', 'Steel watch', 'Oak chair', 'Field camera', 'Wool coat', 'Glass vase', 'Road bicycle']

function signInAll(base: string, count: number): Promise<MarketplaceClient[]> {
  const run = Date.now().toString(36)
  return runInTurn(count, (number) => MarketplaceClient.signIn(base, `load.${run}.${number}@example.com`))
}

async function inTurn(count: number, make: (number: number) => Promise<Created> | undefined): Promise<string[]> {
  const made = await runInTurn(count, async (number) => (await make(number))?.id ?? '')
  return made.filter(Boolean)
}

async function runInTurn<Made>(count: number, make: (number: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const number = next++
      made[number] = await make(number)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return made
}
