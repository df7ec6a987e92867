import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sorts } from './browse.ts'
import { auctionEndingIn } from '../testing/listings.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
beforeEach(async () => {
  await stage.rows('truncate listings, bids, views, listing_words, vocabulary')
})
afterAll(() => stage.close())

interface Listed {
  stable: string[]
  bidOn: string[]
  going: string[]
}

// A third stays, a third gets bids, a third is sold meanwhile.
async function listMany(): Promise<Listed> {
  const listed: Listed = { stable: [], bidOn: [], going: [] }
  for (let index = 0; index < 20; index++) {
    const auction = auctionEndingIn(600 + (index % 5) * 60, 1000 + (index % 4) * 500)
    listed.stable.push(await stage.list(index % 2 ? auction : { priceCents: 1000 + (index % 4) * 500 }))
    listed.bidOn.push(await stage.list(auction))
    listed.going.push(await stage.list({ title: 'A lamp, nearly gone' }))
  }
  return listed
}

async function changeMany({ bidOn, going }: Listed, round: number): Promise<void> {
  const sold = going[round % going.length] ?? ''
  await Promise.all([
    stage.bid(bidOn[(round * 7) % bidOn.length] ?? '', 1500 + round * 100),
    stage.rows(
      `with words as (delete from listing_words where listing_id = $1) update listings set is_active = false where id = $1`,
      [sold],
    ),
    stage.view(bidOn[round % bidOn.length] ?? '', round + 1),
    stage.list({ title: 'A new lamp', priceCents: 1500 }),
    stage.list({ title: 'A new lamp', ...auctionEndingIn(620, 1700) }),
  ])
}

describe('walking all pages while listings are bid on, sold and added', () => {
  const walks = sorts.flatMap((sort): Record<string, string>[] => [
    { sort, search: 'lamp' },
    { sort, category: 'home-decor', minPrice: '5' },
  ])
  // Was red by price without the id in readWalk's `(${key}, id)`, and in every order without startOf's `return last`.
  it.each(walks)('HOME-19 shows every listing that stays once: %j', async (query) => {
    const listed = await listMany()
    const seen: string[] = []
    let next: Record<string, string> | string | undefined = { ...query, limit: '5' }
    for (let round = 0; next !== undefined; round++) {
      const changing = changeMany(listed, round)
      const { status, ids, link } = await stage.browse(next)
      expect(status).toBe(200)
      seen.push(...ids)
      next = /^<(.+)>; rel="next"$/.exec(String(link))?.[1]
      await changing
      // Those who add faster than the walk goes would keep it going.
      expect(round).toBeLessThan(60)
    }
    const stable = new Set(listed.stable)
    expect(seen.filter((id) => stable.has(id)).toSorted()).toEqual(listed.stable.toSorted())
    // By price, a listing that a bid moved further on is met there again.
    const moved = new Set(query['sort']?.startsWith('price') ? listed.bidOn : [])
    const unmoved = seen.filter((id) => !moved.has(id))
    expect(new Set(unmoved).size).toBe(unmoved.length)
  })

  it('R3 answers many at once with no more than a page and a bounded count', async () => {
    await listMany()
    const answers = await Promise.all(Array.from({ length: 50 }, () => stage.browse()))
    for (const { status, ids, total } of answers) expect([status, ids.length, total]).toEqual([200, 24, '60'])
    expect((await stage.browse({ limit: '60' })).ids).toHaveLength(60)
  })
})
