import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { editListing, endListing, holdListing, readListingRow, relistListing, sellListing } from '../../testing/life.ts'
import { createOffer, readOfferStatuses } from '../../testing/offers.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness({ MAX_ACTIVE_LISTINGS: 100 })
})
afterAll(() => harness.close())

const statusAndCode = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']]

/** Brings a new listing into a state and returns its id. */
const states = {
  active: () => harness.createListing(),
  auction: () => harness.createAuction(),
  async reserved() {
    const id = await harness.createListing()
    await holdListing(harness, id)
    return id
  },
  async sold() {
    const id = await harness.createListing()
    await sellListing(harness, id)
    return id
  },
  async ended() {
    const id = await harness.createListing()
    await endListing(harness, id)
    return id
  },
  async removed() {
    const id = await states.ended()
    await harness.rows(`update listings set end_reason = 'removed' where id = $1`, [id])
    return id
  },
}

describe('editing a listing', () => {
  it('LIFE-01 changes the given fields, keeps the others and raises terms_version, with one event', async () => {
    const id = await harness.createListing({ description: 'Brass', location: 'Portland' })
    const edit = {
      title: 'A tall lamp',
      price: 19.5,
      condition: 'fair',
      category_id: 8,
      image_urls: ['https://a.example/2.jpg'],
    }
    const { status, body } = await editListing(harness, id, edit)
    expect([status, body]).toMatchObject([
      200,
      {
        title: 'A tall lamp',
        description: 'Brass',
        location: 'Portland',
        price: 1950,
        condition: 'fair',
        category: { id: 8 },
        image_urls_parsed: ['https://a.example/2.jpg'],
        terms_version: 2,
        status: 'active',
        seller_name: 'Olive',
      },
    ])
    expect(await harness.get(`/api/listings/${id}`)).toMatchObject({ body: { ...body, view_count: 0 } })
    expect(await readListingRow(harness, id)).toMatchObject({ version: 2, terms_version: 2, published: 'active' })
    const revisions = await harness.rows(
      'select terms_version, title, price_cents from listing_revisions where listing_id = $1 order by 1',
      [id],
    )
    expect(revisions).toEqual([
      { terms_version: 1, title: 'A brass lamp', price_cents: 2499 },
      { terms_version: 2, title: 'A tall lamp', price_cents: 1950 },
    ])
  })

  it.each([
    ['title', { title: ' ' }],
    ['price', { price: 0 }],
    ['category_id', { category_id: 999 }],
    ['shipping_cost', { shipping_cost: 5000 }],
    ['image_urls', { image_urls: ['ftp://a.example/1.jpg'] }],
    ['listing_version', { listing_version: 0 }],
  ])('LIFE-01 rejects an invalid %s and changes nothing', async (field, edit) => {
    const id = await harness.createListing()
    const { status, body } = await editListing(harness, id, edit)
    expect([status, body]).toMatchObject([400, { details: [{ path: field }] }])
    expect(await readListingRow(harness, id)).toMatchObject({ version: 1, terms_version: 1 })
  })

  it.each([
    ['auction', 'wrong_kind'],
    ['reserved', 'reserved'],
    ['sold', 'sold'],
    ['ended', 'ended'],
  ] as const)('LIFE-02 is refused for an item that is %s', async (state, code) => {
    const id = await states[state]()
    expect(statusAndCode(await editListing(harness, id, { title: 'Another' }))).toEqual([409, code])
  })

  it('LIFE-02 is refused for a stranger, an unknown listing, without a session and for an earlier version', async () => {
    const id = await harness.createListing()
    await editListing(harness, id, { title: 'Another' })
    const edit = { title: 'A third' }
    expect(statusAndCode(await editListing(harness, id, edit))).toEqual([409, 'listing_changed'])
    expect(statusAndCode(await editListing(harness, id, edit, { as: randomUser() }))).toEqual([403, 'not_owner'])
    expect(statusAndCode(await editListing(harness, newId(), edit))).toEqual([404, 'not_found'])
    expect((await harness.call('PATCH', `/api/listings/${id}`, { body: edit })).status).toBe(401)
  })
})

describe('ending a listing', () => {
  it('LIFE-03 takes it off the market, rejects its offers, and does nothing more when repeated', async () => {
    const id = await harness.createListing()
    await createOffer(harness, id, randomUser())
    const { status, body } = await endListing(harness, id)
    expect([status, body]).toMatchObject([200, { status: 'ended', end_reason: 'seller', is_active: false }])
    expect(await readOfferStatuses(harness, id)).toEqual(['buyer rejected'])
    expect(await endListing(harness, id)).toMatchObject({ status: 200, body: { ended_at: body['ended_at'] } })
    expect(await readListingRow(harness, id)).toMatchObject({ version: 2, has_ended: true, published: 'ended' })
    expect(await holdListing(harness, id)).toEqual({ code: 'inactive' })
  })

  it.each([
    ['auction', 'wrong_kind'],
    ['reserved', 'reserved'],
    ['sold', 'sold'],
  ] as const)('LIFE-03 is refused for an item that is %s', async (state, code) => {
    expect(statusAndCode(await endListing(harness, await states[state]()))).toEqual([409, code])
  })

  it('LIFE-03 is refused for a stranger', async () => {
    const id = await harness.createListing()
    expect(statusAndCode(await endListing(harness, id, { as: randomUser() }))).toEqual([403, 'not_owner'])
    expect(await readListingRow(harness, id)).toMatchObject({ status: 'active', version: 1 })
  })
})

describe('relisting a listing', () => {
  it('LIFE-04 makes the same listing active again, at another price and shipping cost if given', async () => {
    const id = await states.ended()
    const { body: before } = await harness.get(`/api/listings/${id}`)
    expect(await relistListing(harness, id)).toMatchObject({
      status: 200,
      body: {
        id,
        created_at: before['created_at'],
        status: 'active',
        is_active: true,
        ended_at: null,
        terms_version: 1,
      },
    })
    await endListing(harness, id)
    const relisted = await relistListing(harness, id, { price: 12, shipping_cost: 3 })
    expect(relisted).toMatchObject({ status: 200, body: { price: 1200, shipping_cost: 300, terms_version: 2 } })
    expect(await relistListing(harness, id, { price: 11 })).toMatchObject({ status: 200, body: { price: 1200 } })
    expect(await holdListing(harness, id)).toHaveProperty('saleId')
  })

  it.each([
    ['auction', 'wrong_kind'],
    ['sold', 'sold'],
    ['removed', 'removed'],
  ] as const)('LIFE-04 is refused for an item that is %s', async (state, code) => {
    expect(statusAndCode(await relistListing(harness, await states[state]()))).toEqual([409, code])
  })

  it('LIFE-04 is refused for a stranger and at the limit of active listings', async () => {
    const id = await states.ended()
    expect(statusAndCode(await relistListing(harness, id, {}, { as: randomUser() }))).toEqual([403, 'not_owner'])
    const { rows } = harness
    await rows(
      `insert into listings select (jsonb_populate_record(listings, jsonb_build_object('id', gen_random_uuid(), 'is_active', true,
         'ended_at', null, 'end_reason', null, 'status', 'active'))).* from listings, generate_series(1, 100) where id = $1`,
      [id],
    )
    expect(statusAndCode(await relistListing(harness, id))).toEqual([409, 'too_many_listings'])
    expect(await readListingRow(harness, id)).toMatchObject({ status: 'ended' })
  })
})
