import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { insertListings, readIds, readPages } from '../testing/lists.ts'

let harness: Harness
let alice: TestUser

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(() => {
  alice = randomUser()
})

interface Rows {
  listingId: string
  buyerId: string
  sellerId: string
  status?: string
  madeBy?: string
}

let inserted = 0
/** Inserts an offer a microsecond newer than the last one. */
async function insertOffer({
  listingId,
  buyerId,
  sellerId,
  status = 'pending',
  madeBy = 'buyer',
}: Rows): Promise<string> {
  inserted += 1
  const [row] = await harness.rows(
    `insert into offers (id, listing_id, seller_id, buyer_id, made_by, amount_cents, message, status, created_at, updated_at, expires_at)
     values (uuidv7(), $1, $2, $3, $4, 100, repeat('🕰', 1000), $5, timestamptz '2026-01-01' + $6 * interval '1 microsecond', now(),
       now() + interval '1 day') returning id`,
    [listingId, sellerId, buyerId, madeBy, status, inserted],
  )
  return String(row?.['id'])
}

/** Inserts offers that Alice alternately made and received. Returns their ids, newest first. */
async function insertOffers(count: number): Promise<string[]> {
  const own = await insertListings(harness, alice.userId, count)
  const sellerId = newId()
  const others = await insertListings(harness, sellerId, count)
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const [listingId = '', person] = index % 2 ? [own[index], newId()] : [others[index], sellerId]
    const parties = index % 2 ? { buyerId: person, sellerId: alice.userId } : { buyerId: alice.userId, sellerId }
    ids.unshift(await insertOffer({ listingId, ...parties }))
  }
  return ids
}

describe('the pages of a user’s offers', () => {
  it('R20 hold each made and received offer once, the newest first', async () => {
    const ids = await insertOffers(120)
    for (const [query, sizes] of [
      ['', [50, 50, 20]],
      ['?limit=100', [100, 20]],
    ] as const) {
      const pages = await readPages(harness, alice, `/api/offers${query}`)
      expect(pages.map(({ body }) => body.length)).toEqual(sizes)
      expect(pages.flatMap(({ body }) => body.map(({ id }) => id))).toEqual(ids)
    }
    expect(await readIds(harness, alice, '/api/offers?limit=1')).toEqual(ids)
    expect(await readIds(harness, randomUser(), '/api/offers')).toEqual([])
  })
})

describe('the filters of a user’s offers', () => {
  it('OFFER-07 select by listing, status, side and direction, alone and together, on every page', async () => {
    const sellerId = newId()
    const [first = '', second = ''] = await insertListings(harness, sellerId, 2)
    const [own = ''] = await insertListings(harness, alice.userId, 1)
    const mine = { buyerId: alice.userId, sellerId }
    const rejected = await insertOffer({ listingId: first, ...mine, status: 'rejected' })
    const countered = await insertOffer({ listingId: first, ...mine, madeBy: 'seller' })
    const pending = await insertOffer({ listingId: second, ...mine })
    const received = await insertOffer({ listingId: own, buyerId: newId(), sellerId: alice.userId })
    const accepted = await insertOffer({ listingId: own, buyerId: newId(), sellerId: alice.userId, status: 'accepted' })
    const foreign = await insertOffer({ listingId: first, buyerId: newId(), sellerId })
    const expired = await insertOffer({ listingId: own, buyerId: newId(), sellerId: alice.userId })
    await harness.rows('update offers set expires_at = now() where id = $1', [expired])
    const cases: [string, string[]][] = [
      ['', [expired, accepted, received, pending, countered, rejected]],
      [`listing_id=${first}`, [countered, rejected]],
      [`listing_id=${own}`, [expired, accepted, received]],
      [`listing_id=${newId()}`, []],
      ['status=pending', [received, pending, countered]],
      ['status=withdrawn', [expired]],
      ['status=accepted', [accepted]],
      ['made_by=seller', [countered]],
      ['made_by=buyer&status=pending', [received, pending]],
      [`made_by=seller&status=pending&listing_id=${first}`, [countered]],
      [`made_by=buyer&status=pending&listing_id=${first}`, []],
      ['received=true', [expired, accepted, received, countered]],
      ['received=false', [pending, rejected]],
      ['received=true&status=pending', [received, countered]],
      ['received=false&made_by=seller', []],
      ['listing_id=&status=&made_by=&received=', [expired, accepted, received, pending, countered, rejected]],
    ]
    for (const [query, ids] of cases) {
      expect([query, await readIds(harness, alice, `/api/offers?${query}`)]).toEqual([query, ids])
      expect([query, await readIds(harness, alice, `/api/offers?limit=1&${query}`)]).toEqual([query, ids])
      expect(ids).not.toContain(foreign)
    }
  })

  it.each([
    'listing_id=x',
    'listing_id[]=a',
    'status=sold',
    'status=pending&status=accepted',
    'made_by=me',
    'received=yes',
  ])('M8 respond with 400 to %s and name the parameter', async (query) => {
    const { status, body } = await harness.get(`/api/offers?${query}`, alice)
    expect([status, body['details']]).toMatchObject([400, [{ path: /^[a-z_]+/.exec(query)?.[0] }]])
  })
})
