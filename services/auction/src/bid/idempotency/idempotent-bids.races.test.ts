import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodiesWithStatus, expectAcknowledged } from '../../testing/auction-assertions.ts'
import { deciders } from '../../testing/deciders.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import type { ApiResponse } from '../../testing/post-bid.ts'

// Creates new users for a group of tests, so that the idempotency keys of two groups do not collide. Auctions that
// `open` creates start with `earlier` bids.
function createActors(harness: () => Harness, earlier: number) {
  const [alice, bob, carol] = [randomUser('Alice'), randomUser('Bob'), randomUser('Carol')]
  const responsesByAuction = new Map<string, ApiResponse[]>()
  return {
    alice,
    bob,
    async open(): Promise<string> {
      const listingId = await harness().openAuction()
      const responses: ApiResponse[] = []
      for (let cents = 1; cents <= earlier; cents += 1)
        responses.push(await harness().bid(listingId, 100 + cents / 100, carol))
      responsesByAuction.set(listingId, responses)
      return listingId
    },
    earlierResponses: (listingId: string) => responsesByAuction.get(listingId) ?? [],
    /** Counts the auction's bids without the earlier ones. */
    async bidCount(listingId: string): Promise<number> {
      return (await harness().rows('select 1 from bids where listing_id = $1', [listingId])).length - earlier
    },
  }
}

// From the third bid on, an instance can decide an auction's bids optimistically.
const auctions = [
  { auction: 'an auction without bids', earlier: 0 },
  { auction: 'an auction with three bids', earlier: 3 },
]

describe.each(deciders)('with $path', ({ createDecider }) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await createHarness(createDecider)
  })
  afterAll(() => harness.close())

  describe.each(auctions)('on $auction, a bid with an Idempotency-Key', ({ earlier }) => {
    const { alice, bob, open, bidCount } = createActors(() => harness, earlier)

    it('gets its first response again on another instance after being outbid', async () => {
      const listingId = await open()
      const bid = { listingId, amount: 150, bidder: alice }
      const first = await harness.keyedBid('a', bid)
      expect(first).toMatchObject({
        status: 201,
        body: { is_winning: true, current_bid: 15_000, bid_count: earlier + 1 },
      })
      // These bids make both instances cache a price above the first bid. Without its idempotency key, the first bid
      // would be rejected from the cache.
      for (const at of [harness.first, harness.second])
        await harness.bid(listingId, at === harness.first ? 160 : 170, bob, at)
      for (const at of [harness.first, harness.second])
        expect(await harness.keyedBid('a', { ...bid, at })).toEqual(first)
      expect(await bidCount(listingId)).toBe(3)
    })

    it('gets its rejection again when it would now be accepted or rejected for another reason', async () => {
      const listingId = await open()
      await harness.bid(listingId, 150, bob)
      const low = await harness.keyedBid('low', { listingId, amount: 150, bidder: alice })
      const own = await harness.keyedBid(`own ${earlier}`, { listingId, amount: 200, bidder: harness.seller })
      const unknownId = newId()
      const unknown = await harness.keyedBid('unknown', { listingId: unknownId, amount: 200, bidder: alice })
      expect([low.status, own.status, unknown.status]).toEqual([409, 403, 404])
      await harness.bid(listingId, 160, bob)
      await harness.openAuction({ listingId: unknownId })
      await harness.setEndIn(listingId, -1)
      const at = harness.second
      expect(await harness.keyedBid('low', { listingId, amount: 150, bidder: alice, at })).toEqual(low)
      expect(await harness.keyedBid(`own ${earlier}`, { listingId, amount: 200, bidder: harness.seller, at })).toEqual(
        own,
      )
      expect(await harness.keyedBid('unknown', { listingId: unknownId, amount: 200, bidder: alice, at })).toEqual(
        unknown,
      )
    })

    it('gets 422 and changes nothing when its body differs', async () => {
      const listingId = await open()
      await harness.keyedBid('b', { listingId, amount: 150, bidder: alice })
      const reused = await harness.keyedBid('b', { listingId, amount: 151, bidder: alice, at: harness.second })
      expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      expect(await harness.keyedBid('b', { listingId: await open(), amount: 150, bidder: alice })).toEqual(reused)
      expect(await bidCount(listingId)).toBe(1)
    })

    it('has no effect on another user with the same key', async () => {
      const listingId = await open()
      expect((await harness.keyedBid('c', { listingId, amount: 150, bidder: alice })).status).toBe(201)
      expect((await harness.keyedBid('c', { listingId, amount: 160, bidder: bob })).status).toBe(201)
    })

    it('gets 400 when its key is malformed, and stores no 400 response', async () => {
      const listingId = await open()
      const bid = { listingId, amount: 150, bidder: alice }
      expect((await harness.keyedBid('k'.repeat(256), bid)).status).toBe(400)
      expect((await harness.keyedBid('d', { ...bid, amount: -1 })).status).toBe(400)
      expect((await harness.keyedBid('d', bid)).status).toBe(201)
    })
  })

  describe.each(auctions)('on $auction, concurrent bids with keys', ({ earlier }) => {
    const { alice, bob, open, bidCount, earlierResponses } = createActors(() => harness, earlier)

    it('place one bid and return its response to each of 40 requests with one key on two instances', async () => {
      const listingId = await open()
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          harness.keyedBid('once', {
            listingId,
            amount: 150,
            bidder: alice,
            at: index % 2 ? harness.first : harness.second,
          }),
        ),
      )
      expect(responses.map((response) => response.status)).toEqual(responses.map(() => 201))
      expect(new Set(responses.map((response) => response.body['id'])).size).toBe(1)
      expect(await bidCount(listingId)).toBe(1)
    })

    it('place each bid once when the same keys are used on two auctions', async () => {
      const listingIds = await Promise.all([open(), open()])
      const keyed = Array.from({ length: 60 }, (_, index) => ({ key: `cross ${index >> 1}`, auction: index % 2 }))
      const responses = await Promise.all(
        keyed.map(async ({ key, auction }, index) => {
          const listingId = listingIds[auction] ?? ''
          const at = index % 3 ? harness.first : harness.second
          const amount = 101 + index
          const [withKey, without] = await Promise.all([
            harness.keyedBid(key, { listingId, amount, bidder: alice, at }),
            harness.bid(listingId, amount, bob, at),
          ])
          return { listingId, key, withKey, without }
        }),
      )
      for (const listingId of listingIds) {
        const here = responses.filter((response) => response.listingId === listingId)
        await expectAcknowledged(harness, listingId, [
          ...earlierResponses(listingId),
          ...here.flatMap(({ withKey, without }) => [withKey, without]),
        ])
      }
      for (const { key } of keyed) {
        const both = responses.filter((response) => response.key === key).map(({ withKey }) => withKey)
        expect(bodiesWithStatus(both, 422)).toHaveLength(1)
        expect(both.every(({ status }) => [201, 409, 422].includes(status))).toBe(true)
      }
    })

    // This test fails without `throw new IdempotencyConflict()` in stored-responses.ts.
    it('get 422 when a concurrent transaction takes the key, and the rest of the batch is placed', async () => {
      const listingId = await open()
      const takeKey = `insert into idempotency_keys (user_id, route, key, body_hash, state, status, answer)
      values ($1, 'POST /api/bids', 'meanwhile', sha256('another bid'), 'done', 201, '{}')`
      const commit = await harness.runUncommitted(takeKey, [alice.userId])
      const keyed = harness.keyedBid('meanwhile', { listingId, amount: 130, bidder: alice })
      const others = [110, 120, 140].map((amount) => harness.bid(listingId, amount, bob))
      await harness.waitForBlockedStatements()
      await commit()
      expect(await keyed).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      const responses = await Promise.all(others)
      expect(responses.at(-1)?.status).toBe(201)
      await expectAcknowledged(harness, listingId, [...earlierResponses(listingId), ...responses])
    })
  })
})
