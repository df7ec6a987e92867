import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, lamp, watch, type ApiResponse, type Harness } from '../testing/harness.ts'
import { editListing, endListing, relistListing } from '../testing/life.ts'
import { insertListings } from '../testing/lists.ts'
import { actOnOffer, postOffer } from '../testing/offers.ts'

let harness: Harness
let limited: Harness

beforeAll(async () => {
  ;[harness, limited] = await Promise.all([
    createHarness(),
    createHarness({ NEW_MEMBER_WINDOW_MS: 7 * 24 * 3_600_000 }),
  ])
})
afterAll(() => Promise.all([harness.close(), limited.close()]))

const outcome = ({ status, body }: ApiResponse) => [status, body['code'], body['error']]
const statusesOf = (responses: { status: number }[]) =>
  responses.map(({ status }) => status).toSorted((one, other) => one - other)
const race = <Response>(send: (index: number) => Promise<Response>) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => send(index)))
/** Fifty concurrent requests of which five succeed. */
const fiveOf = (created: number) => [...Array<number>(5).fill(created), ...Array<number>(45).fill(409)]
const at = (index: number) => (index % 2 ? harness.first : harness.second)
/** A member who joined some days ago. */
function memberSince(days: number): TestUser {
  const hex = (Date.now() - days * 24 * 3_600_000).toString(16).padStart(12, '0')
  return { ...randomUser(), userId: `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}` }
}

describe('the quota of active listings', () => {
  const refused = [409, 'too_many_listings', "You've reached the limit of 1,000 active listings."]

  it('R22 is 1,000, without inactive listings and ended auctions, and opens no auction above it', async () => {
    const alice = randomUser()
    const ids = await insertListings(harness, alice.userId, 1000)
    const opened = harness.auctions.opened.length
    expect(outcome(await harness.postListing(lamp, alice))).toEqual(refused)
    expect(outcome(await harness.postListing(watch(), alice))).toEqual(refused)
    expect(harness.auctions.opened).toHaveLength(opened)
    expect((await harness.postListing({ ...lamp, price: 0 }, alice)).status).toBe(400)
    await harness.rows('update listings set is_active = false where id = $1', [ids[0]])
    expect((await harness.postListing(watch(), alice)).status).toBe(201)
    expect(outcome(await harness.postListing(lamp, alice))).toEqual(refused)
    await harness.rows('update listings set auction_end_at = now() where seller_id = $1 and is_auction', [alice.userId])
    expect((await harness.postListing(lamp, alice)).status).toBe(201)
    expect((await harness.postListing(lamp, randomUser())).status).toBe(201)
  })

  it('R22 is exact when 50 requests arrive concurrently at two instances', async () => {
    const alice = randomUser()
    await insertListings(harness, alice.userId, 995)
    const responses = await race((index) =>
      harness.call('POST', '/api/listings', { as: alice, body: lamp, at: at(index) }),
    )
    expect(statusesOf(responses)).toEqual(fiveOf(201))
  })
})

describe('the quota of new listings', () => {
  it('R22 is 200 in 24 hours', async () => {
    const alice = randomUser()
    const ids = await insertListings(harness, alice.userId, 200)
    await harness.rows('update listings set created_at = now(), is_active = false where id = any($1)', [ids])
    expect(outcome(await harness.postListing(lamp, alice))).toEqual([
      409,
      'too_many_listings',
      "You've reached the limit of 200 new listings a day.",
    ])
    await harness.rows(`update listings set created_at = now() - interval '24 hours' where id = $1`, [ids[0]])
    expect((await harness.postListing(lamp, alice)).status).toBe(201)
  })

  it('R22 is not lower without a window, also for an id that is ahead of the database’s clock', async () => {
    const early = memberSince(-1)
    await insertListings(harness, early.userId, 20)
    expect((await harness.postListing(lamp, early)).status).toBe(201)
  })

  it('R22 is lower for new members where the installation says so', async () => {
    const [young, old] = [memberSince(6.9), memberSince(7.1)]
    for (const [days, sentence] of [
      ['now()', '10 new listings a day for new members. The limit rises to 200 after 7 days.'],
      [`now() - interval '2 days'`, '20 active listings for new members. The limit rises to 1,000 after 7 days.'],
    ]) {
      for (const { userId } of [young, old]) {
        await insertListings(limited, userId, 10)
        await limited.rows(`update listings set created_at = ${days} where seller_id = $1`, [userId])
      }
      expect(outcome(await limited.postListing(lamp, young))).toEqual([
        409,
        'too_many_listings',
        `You've reached the limit of ${sentence}`,
      ])
      expect((await limited.postListing(lamp, old)).status).toBe(201)
    }
  })
})

describe('the quota of edits', () => {
  const refused = [409, 'too_many_edits', "You've reached the limit of 100 edits of a listing a day. Try again later."]

  it('R22 is 100 of a listing in 24 hours, also for a relisting at another price', async () => {
    const id = await harness.createListing()
    await harness.rows(
      `insert into listing_revisions select (jsonb_populate_record(r, jsonb_build_object('terms_version', n))).*
       from listing_revisions r, generate_series(2, 100) as n where listing_id = $1`,
      [id],
    )
    await harness.rows('update listings set terms_version = 100 where id = $1', [id])
    const edit = (version: number) => editListing(harness, id, { listing_version: version, title: 'Another lamp' })
    expect((await edit(100)).status).toBe(200)
    expect(outcome(await edit(101))).toEqual(refused)
    await endListing(harness, id)
    expect(outcome(await relistListing(harness, id, { price: 12 }))).toEqual(refused)
    expect((await relistListing(harness, id)).status).toBe(200)
    expect((await editListing(harness, await harness.createListing(), { price: 12 })).status).toBe(200)
    await harness.rows(
      `update listing_revisions set at = now() - interval '24 hours' where listing_id = $1 and terms_version = 2`,
      [id],
    )
    expect((await edit(101)).status).toBe(200)
    expect(outcome(await edit(102))).toEqual(refused)
  })
})

describe('the quota of favorites', () => {
  const add = (as: TestUser, id: string | undefined, index = 0) =>
    harness.call('POST', '/api/watchlist', { as, body: { listing_id: id }, at: at(index) })

  it('R22 is 1,000, exact for 50 concurrent requests, and a listing that is there can be added again', async () => {
    const alice = randomUser()
    const ids = await insertListings(harness, newId(), 1050)
    await harness.rows('insert into watchlist (user_id, listing_id) select $1, unnest($2::uuid[])', [
      alice.userId,
      ids.slice(0, 995),
    ])
    const responses = await race((index) => add(alice, ids[995 + index], index))
    expect(statusesOf(responses)).toEqual(fiveOf(200))
    expect(outcome(await add(alice, ids[1049]))).toEqual([
      409,
      'too_many_favorites',
      "You've reached the limit of 1,000 favorites. Remove one first.",
    ])
    expect((await add(alice, ids[0])).status).toBe(200)
    await harness.call('DELETE', `/api/watchlist/${ids[0]}`, { as: alice })
    expect((await add(alice, ids[0])).status).toBe(200)
    expect((await add(randomUser(), ids[1049])).status).toBe(200)
  })
})

describe('the quota of pending offers', () => {
  it('R22 is 100, exact for 50 concurrent requests; an offer that replaces another counts once', async () => {
    const alice = randomUser()
    const ids = await insertListings(harness, harness.seller.userId, 145)
    await harness.rows(
      `insert into offers (id, listing_id, seller_id, buyer_id, made_by, amount_cents, status, created_at, updated_at, expires_at)
       select uuidv7(), id, $1, $2, 'buyer', 100, 'pending', now(), now(), now() + interval '1 day' from unnest($3::uuid[]) as id`,
      [harness.seller.userId, alice.userId, ids.slice(0, 95)],
    )
    const offer = (index: number) => postOffer(harness, alice, { listing_id: ids[index], amount: 5 }, at(index))
    const responses = await race((index) => offer(95 + index))
    expect(statusesOf(responses)).toEqual(fiveOf(201))
    const refusal = [409, 'too_many_offers', "You've reached the limit of 100 pending offers. Withdraw one first."]
    const free = 95 + responses.findIndex(({ status }) => status === 409)
    expect(outcome(await offer(free))).toEqual(refusal)
    expect((await offer(0)).status).toBe(201)
    const { id } = (await offer(1)).body
    await actOnOffer(harness, id, 'withdraw', { as: alice })
    expect((await offer(free)).status).toBe(201)
    expect(outcome(await offer(1))).toEqual(refusal)
    await harness.rows(`update offers set expires_at = now() where buyer_id = $1 and listing_id = $2`, [
      alice.userId,
      ids[2],
    ])
    expect((await offer(1)).status).toBe(201)
  })
})
