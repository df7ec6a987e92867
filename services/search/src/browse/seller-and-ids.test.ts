import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'

const [olive, pam] = [newId(), newId()]

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

describe('GET /api/listings with seller', () => {
  it('SELLR-05 has the active listings of the seller, newest first, with their number, over all pages', async () => {
    const own: string[] = []
    for (let index = 0; index < 5; index += 1) {
      own.push(await harness.createListing({ sellerId: olive }))
      await harness.createListing({ sellerId: pam })
    }
    await harness.createListing({ sellerId: olive, isActive: false })
    const newestFirst = own.toReversed()
    const { ids, total } = await harness.browse({ seller: olive })
    expect([ids, total]).toEqual([newestFirst, '5'])
    expect((await harness.pages({ seller: olive, limit: '2' })).flat()).toEqual(newestFirst)
    expect(await harness.browse({ seller: newId() })).toMatchObject({ ids: [], total: '0' })
  })

  it('SELLR-05 combines with words, other filters and orders', async () => {
    const lamp = await harness.createListing({ sellerId: olive, title: 'A brass lamp', priceCents: 900 })
    const vase = await harness.createListing({
      sellerId: olive,
      title: 'A glass vase',
      priceCents: 300,
      condition: 'new',
    })
    await harness.createListing({ sellerId: pam, title: 'A brass lamp', condition: 'new' })
    expect((await harness.browse({ seller: olive, search: 'lamp' })).ids).toEqual([lamp])
    expect((await harness.browse({ seller: olive, search: 'brass', sort: 'newest' })).ids).toEqual([lamp])
    expect((await harness.browse({ seller: olive, condition: 'new' })).ids).toEqual([vase])
    expect((await harness.browse({ seller: olive, sort: 'price-asc' })).ids).toEqual([vase, lamp])
  })
})

describe('GET /api/listings with ids', () => {
  it('SELLR-06 has those of the listings that are active', async () => {
    const [one, other] = [await harness.createListing(), await harness.createListing()]
    const ended = await harness.createListing({ isActive: false })
    await harness.createListing()
    const { ids, total } = await harness.browse({ ids: [one, ended, newId(), other].join() })
    expect([ids, total]).toEqual([[other, one], '2'])
    expect((await harness.browse({ ids: one.toUpperCase() })).ids).toEqual([one])
    expect((await harness.browse({ ids: one, search: 'lamp' })).ids).toEqual([one])
  })

  it('SELLR-06 are at most 20', async () => {
    const twenty = Array.from({ length: 20 }, newId)
    expect((await harness.browse({ ids: twenty.join() })).status).toBe(200)
    expect((await harness.browse({ ids: [...twenty, newId()].join() })).status).toBe(400)
  })
})

it.each(['ids=x', `ids=${olive},`, `ids=,${olive}`, `ids=${olive}&ids=${pam}`, 'seller=x', `seller=${olive},${pam}`])(
  'SELLR-05 rejects %s and names the field',
  async (query) => {
    const { status, body } = await harness.browse(`/api/listings?${query}`)
    expect([status, body.details?.map(({ path }) => path)]).toEqual([400, [query.split('=')[0]]])
  },
)

it('SELLR-05 finds the listings of a seller by index among 20,000', async () => {
  await harness.query(
    `insert into listings (id, version, seller_id, title, description, category_id, category_name, category_slug,
       condition, is_auction, price_cents, shipping_cents, location, is_active, accept_offers, is_on_sale, view_count,
       image_urls, created_at, updated_at)
     select uuidv7(), 1, uuidv7(), 'A lamp', '', 7, 'Any', 'any', 'good', false, 100, 0, '', true, true, false,
       0, '[]', timestamptz '2026-01-01' + n * interval '1 ms', now() from generate_series(1, 20000) as n`,
  )
  await harness.query('analyze listings')
  const plan = await sql<{ 'QUERY PLAN': string }>`
    explain select id from listings where is_active and seller_id = ${olive} order by created_at desc, id desc limit 25`.execute(
    harness.db,
  )
  expect(JSON.stringify(plan.rows)).toContain('listings_of_seller')
})
