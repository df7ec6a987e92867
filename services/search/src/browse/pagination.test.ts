import { describe, expect, it } from 'vitest'
import { sorts } from './browse.ts'
import { auctionEndingIn } from '../testing/listings.ts'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

interface ListingIds {
  unchanged: string[]
  bidOn: string[]
  sold: string[]
}

async function createListings(): Promise<ListingIds> {
  const ids: ListingIds = { unchanged: [], bidOn: [], sold: [] }
  for (let index = 0; index < 20; index++) {
    const auction = auctionEndingIn(600 + (index % 5) * 60, 1000 + (index % 4) * 500)
    ids.unchanged.push(await harness.createListing(index % 2 ? auction : { priceCents: 1000 + (index % 4) * 500 }))
    ids.bidOn.push(await harness.createListing(auction))
    ids.sold.push(await harness.createListing({ title: 'A lamp, nearly gone' }))
  }
  return ids
}

async function changeListings({ bidOn, sold }: ListingIds, round: number): Promise<void> {
  const soldId = sold[round % sold.length] ?? ''
  await Promise.all([
    harness.placeBid(bidOn[(round * 7) % bidOn.length] ?? '', 1500 + round * 100),
    harness.query(
      `with words as (delete from listing_words where listing_id = $1) update listings set is_active = false where id = $1`,
      [soldId],
    ),
    harness.setViewCount(bidOn[round % bidOn.length] ?? '', round + 1),
    harness.createListing({ title: 'A new lamp', priceCents: 1500 }),
    harness.createListing({ title: 'A new lamp', ...auctionEndingIn(620, 1700) }),
  ])
}

describe('reading all pages while listings are bid on, sold and created', () => {
  const queries = sorts.flatMap((sort): Record<string, string>[] => [
    { sort, search: 'lamp' },
    { sort, category: 'home-decor', minPrice: '5' },
  ])
  // Fails by price without the id in readOrderedScan's `(${key}, id)`, and in every order without `return last` in startOf.
  it.each(queries)('HOME-19 shows every unchanged listing exactly once for %j', async (query) => {
    const ids = await createListings()
    const seen: string[] = []
    let next: Record<string, string> | string | undefined = { ...query, limit: '5' }
    for (let round = 0; next !== undefined; round++) {
      const changing = changeListings(ids, round)
      const { status, ids: page, link } = await harness.browse(next)
      expect(status).toBe(200)
      seen.push(...page)
      next = /^<(.+)>; rel="next"$/.exec(String(link))?.[1]
      await changing
      // A bound, because new listings could add pages faster than they are read.
      expect(round).toBeLessThan(60)
    }
    const unchanged = new Set(ids.unchanged)
    expect(seen.filter((id) => unchanged.has(id)).toSorted()).toEqual(ids.unchanged.toSorted())
    // By price, a bid can move a listing to a later page, where it appears again.
    const moved = new Set(query['sort']?.startsWith('price') ? ids.bidOn : [])
    const unmoved = seen.filter((id) => !moved.has(id))
    expect(new Set(unmoved).size).toBe(unmoved.length)
  })

  it('R3 limits each of 50 concurrent responses to one page and a bounded count', async () => {
    await createListings()
    const responses = await Promise.all(Array.from({ length: 50 }, () => harness.browse()))
    for (const { status, ids, total } of responses) expect([status, ids.length, total]).toEqual([200, 24, '60'])
    expect((await harness.browse({ limit: '60' })).ids).toHaveLength(60)
  })
})
