import { newId } from '@marketplace/kit/ids.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeOffer, moveOffer, offerOn, offersOf, statusesOf } from '../testing/offers.ts'
import { setStage, type Stage } from '../testing/stage.ts'
import { lapseOffers } from './offers.repo.ts'

let stage: Stage
let seller: TestUser
let buyer: TestUser
let listingId: string

beforeAll(async () => {
  stage = await setStage()
  seller = stage.seller
})
afterAll(() => stage.close())
beforeEach(async () => {
  buyer = someone('Bob')
  listingId = await stage.list()
})

const twoDaysMs = 2 * 24 * 3_600_000
const instant: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const offer = (body: Record<string, unknown>, as = buyer) =>
  makeOffer(stage, as, { listing_id: listingId, amount: 20, ...body })
const countOffers = async () => (await stage.rows('select count(*) as count from offers'))[0]?.['count']
const end = (id: string) => stage.rows('update listings set is_active = false where id = $1', [id])

describe('POST /api/offers', () => {
  it('OFFER-04 makes a pending offer with every field, dollars in and cents out', async () => {
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
      created_at: instant,
      updated_at: body['created_at'],
      expires_at: instant,
    })
    expect(Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']))).toBe(twoDaysMs)
    expect(await offersOf(stage, buyer)).toEqual([body])
  })

  it.each([[undefined], [null], [''], ['   ']])('OFFER-04 has no message for %j', async (message) => {
    expect((await offer({ message })).body['message']).toBeNull()
  })

  it('takes the place of the one that is open on this listing, and of no other', async () => {
    const other = await offerOn(stage, await stage.list(), buyer)
    const another = await offerOn(stage, listingId, someone('Carol'))
    const [first, second] = [await offerOn(stage, listingId, buyer), await offerOn(stage, listingId, buyer, 21)]
    const shown = new Map((await offersOf(stage, buyer)).map(({ id, status }) => [id, status]))
    expect([shown.get(first), shown.get(second), shown.get(other)]).toEqual(['withdrawn', 'pending', 'pending'])
    expect((await offersOf(stage, seller)).find(({ id }) => id === another)?.status).toBe('pending')
    expect((await moveOffer(stage, first, 'accept', { as: seller })).body.code).toBe('already_answered')
  })

  it('L11 OFFER-02 is refused on what takes none, and stores nothing', async () => {
    const inactive = await stage.list()
    const auction = await stage.auction()
    const endedAuction = await stage.auction()
    const noOffers = await stage.list({ accept_offers: false })
    const inactiveNoOffers = await stage.list({ accept_offers: false })
    for (const id of [inactive, endedAuction, inactiveNoOffers]) await end(id)
    const before = await countOffers()
    const asked = async (listing: string, as = buyer) => {
      const { status, body } = await offer({ listing_id: listing }, as)
      return [status, body.code]
    }
    expect(await asked(noOffers)).toEqual([403, 'no_offers'])
    expect(await asked(inactiveNoOffers)).toEqual([403, 'no_offers'])
    expect(await asked(auction)).toEqual([409, 'wrong_kind'])
    expect(await asked(endedAuction)).toEqual([409, 'wrong_kind'])
    expect(await asked(inactive)).toEqual([409, 'inactive'])
    for (const own of [listingId, noOffers, auction, inactive])
      expect(await asked(own, seller)).toEqual([403, 'own_listing'])
    expect(await asked(newId())).toEqual([404, 'not_found'])
    expect(await countOffers()).toBe(before)
  })

  it('OFFER-02 is 401 signed out, whatever the body', async () => {
    expect((await stage.call('POST', '/api/offers', { body: '{' })).status).toBe(401)
    expect((await stage.call('GET', '/api/offers')).status).toBe(401)
  })

  const tooLittle = 'Offer amount must be greater than $0.00'
  const tooLong = 'A message must have at most 1000 characters'
  const refused: [string, Record<string, unknown>, string, string?][] = [
    ['L11 an amount of 0', { amount: 0 }, 'amount', tooLittle],
    ['a negative amount', { amount: -5 }, 'amount', tooLittle],
    ['no amount', { amount: undefined }, 'amount'],
    ['an amount that is null', { amount: null }, 'amount'],
    ['an amount as text', { amount: '20' }, 'amount'],
    ['M8 an amount in a list', { amount: ['20'] }, 'amount'],
    ['a third decimal', { amount: 20.001 }, 'amount'],
    ['an amount too high', { amount: 10_000_000 }, 'amount'],
    ['an amount in another notation', { amount: 1e21 }, 'amount'],
    ['a tiny amount', { amount: 1e-7 }, 'amount'],
    ['no listing', { listing_id: undefined }, 'listing_id'],
    ['M8 a listing that is an object', { listing_id: { $gt: 0 } }, 'listing_id'],
    ['a listing that is a number', { listing_id: 7 }, 'listing_id'],
    ['a listing of another form', { listing_id: '0b1c6a60-6b1e-4c6e-8f3b-3a8f3f1e2d4c' }, 'listing_id'],
    ['a message of 1001', { message: 'x'.repeat(1001) }, 'message', tooLong],
    ['a message of 1001 emoji', { message: '🕰'.repeat(1001) }, 'message', tooLong],
    ['a message with NUL', { message: 'a\u0000b' }, 'message'],
    ['a message with half a character', { message: '\ud800' }, 'message'],
    ['a message that is no text', { message: { text: 'x' } }, 'message'],
  ]

  it.each(refused)('OFFER-01 refuses %s, also in a counter-offer', async (_name, change, path, sentence) => {
    const answers = [await offer(change)]
    const id = await offerOn(stage, listingId, buyer)
    if (path !== 'listing_id')
      answers.push(await moveOffer(stage, id, 'counter', { as: seller, body: { amount: 20, ...change } }))
    for (const { status, body } of answers) {
      expect([status, body.code, body.details[0]?.path]).toEqual([400, 'invalid', path])
      expect(sentence ?? body.error).toBe(body.error)
    }
    expect(await statusesOf(stage, listingId)).toEqual(['buyer pending'])
  })

  it.each(['', '[]', 'null', '7', '{"amount":', '{"amount":NaN}', '{"amount":20,"__proto__":{"polluted":true}}'])(
    'M5 refuses a body that is %j',
    async (body) => {
      expect((await makeOffer(stage, buyer, body)).status).toBe(400)
      expect('polluted' in {}).toBe(false)
    },
  )

  it('refuses other types of content and bodies above 64 KiB', async () => {
    const headers = { 'content-type': 'text/plain' }
    const body = JSON.stringify({ listing_id: listingId, amount: 20 })
    expect((await stage.call('POST', '/api/offers', { as: buyer, headers, body })).status).toBe(415)
    expect((await offer({ message: 'x'.repeat(70_000) })).status).toBe(413)
    expect(await statusesOf(stage, listingId)).toEqual([])
  })

  it('takes the smallest and the greatest amount, and 1000 characters', async () => {
    expect((await offer({ amount: 0.01 })).body['amount']).toBe(1)
    const greatest = await offer({ amount: 9_999_999.99, message: ` ${'🕰'.repeat(1000)} ` })
    expect(greatest.body).toMatchObject({ amount: 999_999_999, message: '🕰'.repeat(1000) })
  })
})

describe('GET /api/offers', () => {
  it('answers what one made and received, newest first, and nothing of others', async () => {
    const own = String((await stage.post({ title: 'A vase', price: 9, category_id: 7 }, buyer)).body['id'])
    const made = await offerOn(stage, listingId, buyer)
    const received = await offerOn(stage, own, someone('Carol'))
    await offerOn(stage, listingId, someone('Dora'))
    expect((await offersOf(stage, buyer)).map(({ id }) => id)).toEqual([received, made])
    expect(await offersOf(stage, someone('Xavier'))).toEqual([])
  })

  it('shows an offer that nobody answered as withdrawn at its end, before and after the sweep', async () => {
    const [lapsed, open] = [await offerOn(stage, listingId, buyer), await offerOn(stage, await stage.list(), buyer)]
    const lapsedAt = '2026-01-01T00:00:00.000Z'
    await stage.rows('update offers set expires_at = $2 where id = $1', [lapsed, lapsedAt])
    const before = await offersOf(stage, buyer)
    const over = { id: lapsed, status: 'withdrawn', updated_at: lapsedAt }
    expect(before).toMatchObject([{ id: open, status: 'pending' }, over])
    expect(await lapseOffers(stage.db)).toBe(1)
    expect(await lapseOffers(stage.db)).toBe(0)
    expect(await offersOf(stage, buyer)).toEqual(before)
    expect(await stage.rows('select status from offers where id = $1', [lapsed])).toEqual([{ status: 'withdrawn' }])
  })
})
