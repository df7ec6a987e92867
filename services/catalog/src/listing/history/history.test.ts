import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personalData } from '../../personal-data/personal-data.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { editListing, endListing, holdListing, readListingRow, relistListing, sellListing } from '../../testing/life.ts'
import { endProvenSales } from './end-proven-sales.ts'
import { fillListings } from './fill-listings.ts'
import { deleteExpiredPrices, deleteExpiredRevisions } from './history.repo.ts'
import { deleteExpiredInactivePeriods } from './inactive-periods.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

/** Moves the history of a listing back in time. */
const age = (id: string, days: number) =>
  harness.rows(
    `with prices as (update listing_prices set from_at = from_at - $2 * interval '1 day' where listing_id = $1)
       , ends as (update listings set ended_at = ended_at - $2 * interval '1 day' where id = $1)
     update listing_revisions set at = at - $2 * interval '1 day' where listing_id = $1`,
    [id, days],
  )
const countRows = async (table: string, id: string) =>
  (await harness.rows(`select count(*)::int as n from ${table} where listing_id = $1`, [id]))[0]?.['n']

describe('struck prices', () => {
  it('LIFE-06 are stated at creation, proven after a reduction, and gone 60 days later', async () => {
    const id = await harness.createListing({ price: 20, is_on_sale: true, original_price: 90 })
    expect((await harness.get(`/api/listings/${id}`)).body).toMatchObject({
      original_price: 9000,
      original_price_kind: 'stated',
    })
    await age(id, 10)
    const edit = { price: 15, original_price: 90 }
    expect(await editListing(harness, id, edit)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'original_price' }] },
    })
    const { body } = await editListing(harness, id, { price: 15 })
    expect(body).toMatchObject({ original_price: 2000, original_price_kind: 'proven', is_on_sale: true })
    await age(id, 59)
    expect(await endProvenSales(harness.db)).toBe(0)
    await age(id, 2)
    expect(await endProvenSales(harness.db)).toBe(1)
    expect((await harness.get(`/api/listings/${id}`)).body).toMatchObject({
      price: 1500,
      is_on_sale: false,
      original_price: null,
    })
    expect(await readListingRow(harness, id)).toMatchObject({ version: 3, terms_version: 2, published: 'active' })
  })

  it('LIFE-06 are not proven by the time between an end and a relisting', async () => {
    const [short, long] = [await harness.createListing({ price: 20 }), await harness.createListing({ price: 20 })]
    await Promise.all([age(short, 5), age(long, 8)])
    for (const id of [short, long]) {
      await endListing(harness, id)
      await age(id, 20)
      const { body } = await relistListing(harness, id, { price: 15 })
      expect(body).toMatchObject({ price: 1500, is_on_sale: false, original_price: null })
      const reduced = await editListing(harness, id, { listing_version: 2, is_on_sale: true })
      expect(reduced.body).toMatchObject({ original_price: id === long ? 2000 : null })
    }
  })

  it('LIFE-06 are not proven if a lower price is older than the latest 500 prices', async () => {
    const id = await harness.createListing({ price: 10 })
    await age(id, 90)
    await harness.rows(
      `with prices as (
         insert into listing_prices (listing_id, from_at, price_cents)
         select $1::uuid, now() - interval '8 days' + n * interval '1 minute', case n % 2 when 0 then 10000 else 10100 end
         from generate_series(1, 500) as n
       ) update listings set price_cents = 10000 where id = $1`,
      [id],
    )
    const { body } = await editListing(harness, id, { price: 10, is_on_sale: true })
    expect(body).toMatchObject({ price: 1000, original_price: null })
  })

  it('LIFE-06 are not proven by an inactive period that is older than the latest 500 periods', async () => {
    const id = await harness.createListing({ price: 100 })
    await age(id, 60)
    await harness.rows(
      `insert into listing_inactive_periods (listing_id, from_at, until_at)
       select $1::uuid, now() - interval '59 days', now() - interval '32 days'
       union all
       select $1::uuid, now() - interval '31 days' + n * interval '1 minute', now() - interval '31 days' + (n + 0.5) * interval '1 minute'
       from generate_series(1, 499) as n
       union all
       select $1::uuid, now() - interval '30 days', now() - interval '3 days'`,
      [id],
    )
    const { body } = await editListing(harness, id, { price: 10, is_on_sale: true })
    expect(body).toMatchObject({ price: 1000, original_price: null })
  })

  it('LIFE-06 are dropped by a reduction after less than 7 days and kept by an edit of something else', async () => {
    const id = await harness.createListing({ price: 20, is_on_sale: true, original_price: 90 })
    expect((await editListing(harness, id, { title: 'Another' })).body).toMatchObject({ original_price: 9000 })
    const { body } = await editListing(harness, id, { listing_version: 2, price: 15 })
    expect(body).toMatchObject({ original_price: null, original_price_kind: null })
  })
})

describe('prices and revisions', () => {
  it('LIFE-07 shows the prices of the last 90 days to everybody, the newest first', async () => {
    const id = await harness.createListing({ price: 20 })
    await age(id, 200)
    await editListing(harness, id, { price: 18 })
    await age(id, 91)
    await editListing(harness, id, { listing_version: 2, price: 15 })
    const { status, body } = await harness.get<Record<string, unknown>[]>(`/api/listings/${id}/prices`)
    expect([status, body.map(({ price, until }) => [price, until === null])]).toEqual([
      200,
      [
        [1500, true],
        [1800, false],
      ],
    ])
    expect(body[0]?.['from']).toBe(body[1]?.['until'])
    expect((await harness.get(`/api/listings/${newId()}/prices`)).status).toBe(404)
  })

  it('LIFE-07 shows a revision to the buyer and the seller of a sale, and to nobody else', async () => {
    const id = await harness.createListing({ title: 'As sold' })
    const buyer = randomUser()
    const url = `/api/listings/${id}/revisions`
    expect((await harness.get(`${url}/1`, harness.seller)).status).toBe(404)
    await sellListing(harness, id, { buyerId: buyer.userId })
    for (const side of [buyer, harness.seller]) {
      expect(await harness.get(`${url}/1`, side)).toMatchObject({
        status: 200,
        body: { title: 'As sold', price: 2499 },
      })
    }
    expect((await harness.get(`${url}/1`, randomUser())).status).toBe(404)
    expect((await harness.get(`${url}/2`, buyer)).status).toBe(404)
    expect((await harness.get(`${url}/${2 ** 31}`, buyer)).status).toBe(404)
    expect((await harness.get(`${url}/x`, buyer)).status).toBe(404)
    expect((await harness.get(`${url}/1`)).status).toBe(401)
  })

  it('LIFE-07 keeps revisions and prices for a year, and longer while they are current or held', async () => {
    const id = await harness.createListing()
    await sellListing(harness, await harness.createListing())
    for (const version of [1, 2]) await editListing(harness, id, { listing_version: version, price: 20 - version })
    await holdListing(harness, id)
    await age(id, 366)
    await deleteExpiredRevisions(harness.db)
    await deleteExpiredPrices(harness.db)
    expect([await countRows('listing_revisions', id), await countRows('listing_prices', id)]).toEqual([1, 1])
  })

  it('LIFE-07 keeps the periods between an end and a relisting for a year', async () => {
    const id = await harness.createListing()
    await endListing(harness, id)
    await relistListing(harness, id)
    const ageTo = (interval: string) =>
      harness.rows(
        `update listing_inactive_periods set until_at = clock_timestamp() - $2::interval, from_at = from_at - $2::interval
         where listing_id = $1`,
        [id, interval],
      )
    await ageTo('364 days')
    expect(await deleteExpiredInactivePeriods(harness.db)).toBe(0)
    await ageTo('365 days')
    expect(await deleteExpiredInactivePeriods(harness.db)).toBe(1)
  })
})

describe('listings of an earlier version', () => {
  it('LIFE-09 get their status, first revision and first price from a sweep', async () => {
    const [active, reserved, sold] = [
      await harness.createListing(),
      await harness.createListing(),
      await harness.createListing(),
    ]
    const ended = await harness.createAuction()
    await holdListing(harness, reserved)
    await sellListing(harness, sold)
    const ids = [active, reserved, sold, ended]
    await harness.rows(
      `with r as (delete from listing_revisions where listing_id = any($1)), p as (delete from listing_prices where listing_id = any($1))
       update listings set terms_version = null, status = null, ended_at = null, end_reason = null, original_price_kind = null,
         is_active = is_active and not is_auction where id = any($1)`,
      [ids],
    )
    while ((await fillListings(harness.db)) > 0);
    const lives = await Promise.all(ids.map((id) => readListingRow(harness, id)))
    expect(lives.map((life) => [life?.['status'], life?.['end_reason'], life?.['terms_version']])).toEqual([
      ['active', null, 1],
      ['reserved', null, 1],
      ['sold', 'sold', 1],
      ['ended', 'auction', 1],
    ])
    expect(lives[1]).toMatchObject({ version: 3, published: 'reserved' })
    const counts = await Promise.all(
      ids.map((id) => Promise.all(['listing_revisions', 'listing_prices'].map((table) => countRows(table, id)))),
    )
    expect(counts).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 0],
    ])
    expect((await editListing(harness, active, { price: 20 })).status).toBe(200)
  })

  it('LIFE-09 can be edited before the sweep', async () => {
    const id = await harness.createListing()
    await harness.rows('delete from listing_revisions where listing_id = $1', [id])
    await harness.rows('delete from listing_prices where listing_id = $1', [id])
    await harness.rows('update listings set terms_version = null, status = null where id = $1', [id])
    expect(await editListing(harness, id, { price: 20 })).toMatchObject({ status: 200, body: { terms_version: 2 } })
    expect([await countRows('listing_revisions', id), await countRows('listing_prices', id)]).toEqual([2, 2])
  })
})

describe('personal data', () => {
  it('LIFE-10 exports the revisions of a seller, and erases their texts and pictures but not their prices', async () => {
    const seller = randomUser()
    const created = await harness.postListing({ title: 'First title', price: 5, category_id: 1 }, seller)
    const id = String(created.body['id'])
    await editListing(harness, id, { title: 'Second title' }, { as: seller })
    await endListing(harness, id, { as: seller })
    const exported = JSON.stringify(await transaction(harness.db, (trx) => personalData.collect(trx, seller.userId)))
    expect([exported.includes('First title'), exported.includes('Second title')]).toEqual([true, true])
    await transaction(harness.db, (trx) => personalData.erase(trx, seller.userId))
    const rows = await harness.rows(
      'select description, location, image_urls, price_cents, title like $2 as has_title from listing_revisions where listing_id = $1',
      [id, '%title%'],
    )
    const erased = { description: '', location: '', image_urls: '[]', price_cents: 500, has_title: false }
    expect(rows).toEqual([erased, erased])
    expect(await readListingRow(harness, id)).toMatchObject({ status: 'ended', end_reason: 'erased', has_ended: true })
  })
})
