import { randomUser, type TestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { z } from 'zod'

const dayMs = 86_400_000
const atOnce = 8
const Created = z.object({ id: z.string() })
const Categories = z.array(z.object({ id: z.number() }))

/** Lists auctions through catalog's API. They are open for a day. */
export async function listAuctions(catalogUrl: string, keys: TestKeys, count: number): Promise<string[]> {
  const [category] = Categories.parse(await (await fetch(`${catalogUrl}/api/categories`)).json())
  const list = async (number: number) => {
    const body = {
      title: `A watch, number ${number}`,
      category_id: category?.id,
      is_auction: true,
      starting_bid: 10,
      auction_end_date: new Date(Date.now() + dayMs).toISOString(),
    }
    const response = await fetch(`${catalogUrl}/api/listings`, {
      method: 'POST',
      headers: {
        ...(await keys.authorization(randomUser(`Seller ${number % 50}`))),
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    return Created.parse(await response.json()).id
  }
  const listings: string[] = []
  for (let first = 0; first < count; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - first) }, (_, place) => first + place)
    listings.push(...(await Promise.all(numbers.map(list))))
  }
  return listings
}

export interface Bidder extends TestUser {
  authorization: string
}

export function makeBidders(keys: TestKeys, count: number): Promise<Bidder[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const user = randomUser(`Bidder ${number}`)
      return { ...user, ...(await keys.authorization(user)) }
    }),
  )
}
