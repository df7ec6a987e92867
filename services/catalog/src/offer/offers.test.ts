import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postOffer, actOnOffer, createOffer, readOffers, readOfferStatuses } from '../testing/offers.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { expireOffers } from './offers.repo.ts'

let harness: Harness
let seller: TestUser
let buyer: TestUser
let listingId: string

beforeAll(async () => {
  harness = await createHarness()
  seller = harness.seller
})
afterAll(() => harness.close())
beforeEach(async () => {
  buyer = randomUser('Bob')
  listingId = await harness.createListing()
})

const twoDaysMs = 2 * 24 * 3_600_000
const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const offer = (body: Record<string, unknown>, as = buyer) =>
  postOffer(harness, as, { listing_id: listingId, amount: 20, ...body })
const countOffers = async () => (await harness.rows('select count(*) as count from offers'))[0]?.['count']
const deactivate = (id: string) => harness.rows('update listings set is_active = false where id = $1', [id])

describe('POST /api/offers', () => {
  it('OFFER-04 makes a pending offer from an amount in dollars and returns every field with amounts in cents', async () => {
    const { status, body } = await offer({
      amount: 19.99,
      message: '  Would you? ',
      buyer_id: newId(),
      status: 'accepted',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      listing_id: listingId,
      listing_title: 'A brass lamp',
      buyer_id: buyer.userId,
      made_by: 'buyer',
      amount: 1999,
      message: 'Would you?',
      status: 'pending',
      created_at: timestamp,
      updated_at: body['created_at'],
      expires_at: timestamp,
    })
    expect(Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']))).toBe(twoDaysMs)
    const listed = { ...body, listing_image_url: null, other_user_name: 'Olive' }
    expect(await readOffers(harness, buyer)).toEqual([listed])
  })

  it.each([[undefined], [null], [''], ['   ']])('OFFER-04 stores no message for %j', async (message) => {
    expect((await offer({ message })).body['message']).toBeNull()
  })

  it('replaces the buyer’s pending offer on this listing and no other offer', async () => {
    const other = await createOffer(harness, await harness.createListing(), buyer)
    const another = await createOffer(harness, listingId, randomUser('Carol'))
    const [first, second] = [
      await createOffer(harness, listingId, buyer),
      await createOffer(harness, listingId, buyer, 21),
    ]
    const shown = new Map((await readOffers(harness, buyer)).map(({ id, status }) => [id, status]))
    expect([shown.get(first), shown.get(second), shown.get(other)]).toEqual(['withdrawn', 'pending', 'pending'])
    expect((await readOffers(harness, seller)).find(({ id }) => id === another)?.status).toBe('pending')
    expect((await actOnOffer(harness, first, 'accept', { as: seller })).body.code).toBe('already_answered')
  })

  it('L11 OFFER-02 is rejected and stores nothing when the listing accepts no offers', async () => {
    const inactive = await harness.createListing()
    const auction = await harness.createAuction()
    const endedAuction = await harness.createAuction()
    const noOffers = await harness.createListing({ accept_offers: false })
    const inactiveNoOffers = await harness.createListing({ accept_offers: false })
    for (const id of [inactive, endedAuction, inactiveNoOffers]) await deactivate(id)
    const before = await countOffers()
    const rejectionFor = async (listing: string, as = buyer) => {
      const { status, body } = await offer({ listing_id: listing }, as)
      return [status, body.code]
    }
    expect(await rejectionFor(noOffers)).toEqual([403, 'no_offers'])
    expect(await rejectionFor(inactiveNoOffers)).toEqual([403, 'no_offers'])
    expect(await rejectionFor(auction)).toEqual([409, 'wrong_kind'])
    expect(await rejectionFor(endedAuction)).toEqual([409, 'wrong_kind'])
    expect(await rejectionFor(inactive)).toEqual([409, 'inactive'])
    for (const own of [listingId, noOffers, auction, inactive])
      expect(await rejectionFor(own, seller)).toEqual([403, 'own_listing'])
    expect(await rejectionFor(newId())).toEqual([404, 'not_found'])
    expect(await countOffers()).toBe(before)
  })

  it('OFFER-02 gets 401 without a session, whatever the body', async () => {
    expect((await harness.call('POST', '/api/offers', { body: '{' })).status).toBe(401)
    expect((await harness.call('GET', '/api/offers')).status).toBe(401)
  })

  const tooLittle = 'Offer amount must be greater than $0.00'
  const tooLong = 'A message must have at most 1000 characters'
  const invalid: [string, Record<string, unknown>, string, string?][] = [
    ['L11 an amount of 0', { amount: 0 }, 'amount', tooLittle],
    ['a negative amount', { amount: -5 }, 'amount', tooLittle],
    ['no amount', { amount: undefined }, 'amount'],
    ['an amount that is null', { amount: null }, 'amount'],
    ['an amount as a string', { amount: '20' }, 'amount'],
    ['M8 an amount in a list', { amount: ['20'] }, 'amount'],
    ['an amount with three decimals', { amount: 20.001 }, 'amount'],
    ['an amount above the maximum', { amount: 10_000_000 }, 'amount'],
    ['an amount in exponent notation', { amount: 1e21 }, 'amount'],
    ['a tiny amount', { amount: 1e-7 }, 'amount'],
    ['no listing', { listing_id: undefined }, 'listing_id'],
    ['M8 a listing that is an object', { listing_id: { $gt: 0 } }, 'listing_id'],
    ['a listing that is a number', { listing_id: 7 }, 'listing_id'],
    ['a listing id that is not a UUIDv7', { listing_id: '0b1c6a60-6b1e-4c6e-8f3b-3a8f3f1e2d4c' }, 'listing_id'],
    ['a message of 1001 characters', { message: 'x'.repeat(1001) }, 'message', tooLong],
    ['a message of 1001 emoji', { message: '🕰'.repeat(1001) }, 'message', tooLong],
    ['a message with NUL', { message: 'a\u0000b' }, 'message'],
    ['a message with a lone surrogate', { message: '\ud800' }, 'message'],
    ['a message that is an object', { message: { text: 'x' } }, 'message'],
  ]

  it.each(invalid)('OFFER-01 rejects %s, also in a counter-offer', async (_name, fields, path, message) => {
    const responses = [await offer(fields)]
    const id = await createOffer(harness, listingId, buyer)
    if (path !== 'listing_id')
      responses.push(await actOnOffer(harness, id, 'counter', { as: seller, body: { amount: 20, ...fields } }))
    for (const { status, body } of responses) {
      expect([status, body.code, body.details[0]?.path]).toEqual([400, 'invalid', path])
      expect(message ?? body.error).toBe(body.error)
    }
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer pending'])
  })

  it.each(['', '[]', 'null', '7', '{"amount":', '{"amount":NaN}', '{"amount":20,"__proto__":{"polluted":true}}'])(
    'M5 rejects the body %j',
    async (body) => {
      expect((await postOffer(harness, buyer, body)).status).toBe(400)
      expect('polluted' in {}).toBe(false)
    },
  )

  it('rejects other content types and bodies above 64 KiB', async () => {
    const headers = { 'content-type': 'text/plain' }
    const body = JSON.stringify({ listing_id: listingId, amount: 20 })
    expect((await harness.call('POST', '/api/offers', { as: buyer, headers, body })).status).toBe(415)
    expect((await offer({ message: 'x'.repeat(70_000) })).status).toBe(413)
    expect(await readOfferStatuses(harness, listingId)).toEqual([])
  })

  it('accepts the smallest and the greatest amount, and a message of 1000 characters', async () => {
    expect((await offer({ amount: 0.01 })).body['amount']).toBe(1)
    const greatest = await offer({ amount: 9_999_999.99, message: ` ${'🕰'.repeat(1000)} ` })
    expect(greatest.body).toMatchObject({ amount: 999_999_999, message: '🕰'.repeat(1000) })
  })
})

describe('GET /api/offers', () => {
  it('returns the offers that the user made and received, newest first, and no others', async () => {
    const own = String((await harness.postListing({ title: 'A vase', price: 9, category_id: 7 }, buyer)).body['id'])
    const made = await createOffer(harness, listingId, buyer)
    const received = await createOffer(harness, own, randomUser('Carol'))
    await createOffer(harness, listingId, randomUser('Dora'))
    expect((await readOffers(harness, buyer)).map(({ id }) => id)).toEqual([received, made])
    expect(await readOffers(harness, randomUser('Xavier'))).toEqual([])
  })

  it('OFFER-09 returns the main picture, and the name of the other side if the users service knows it', async () => {
    const urls = ['https://a.example/first.jpg', 'https://a.example/second.jpg']
    const pictured = await harness.createListing({ image_urls: urls })
    const own = await harness.postListing({ title: 'A vase', price: 9, category_id: 7 }, buyer)
    await createOffer(harness, pictured, buyer)
    await createOffer(harness, String(own.body['id']), seller)
    await createOffer(harness, String(own.body['id']), randomUser('Nobody'))
    const shown = (await readOffers(harness, buyer)).map((row) => [row['listing_image_url'], row['other_user_name']])
    expect(shown).toEqual([
      [null, null],
      [null, 'Olive'],
      [urls[0], 'Olive'],
    ])
    const [toSeller] = await readOffers(harness, seller)
    expect(toSeller).toMatchObject({ listing_id: own.body['id'], other_user_name: null })
  })

  it('returns an expired offer as withdrawn at its expiry, before and after the sweep', async () => {
    const [expired, open] = [
      await createOffer(harness, listingId, buyer),
      await createOffer(harness, await harness.createListing(), buyer),
    ]
    const expiredAt = '2026-01-01T00:00:00.000Z'
    await harness.rows('update offers set expires_at = $2 where id = $1', [expired, expiredAt])
    const before = await readOffers(harness, buyer)
    const withdrawn = { id: expired, status: 'withdrawn', updated_at: expiredAt }
    expect(before).toMatchObject([{ id: open, status: 'pending' }, withdrawn])
    expect(await expireOffers(harness.db)).toBe(1)
    expect(await expireOffers(harness.db)).toBe(0)
    expect(await readOffers(harness, buyer)).toEqual(before)
    expect(await harness.rows('select status from offers where id = $1', [expired])).toEqual([{ status: 'withdrawn' }])
  })
})
