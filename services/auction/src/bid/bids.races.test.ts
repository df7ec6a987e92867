import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { bodiesWithStatus, readEvents, expectAcknowledged, expectClosedOnce } from '../testing/auction-assertions.ts'
import { deciders } from '../testing/deciders.ts'
import { createHarness, endNow, type Harness } from '../testing/harness.ts'
import type { ApiResponse } from '../testing/post-bid.ts'

describe.each(deciders)('with $path', ({ createDecider }) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await createHarness(createDecider)
  })
  afterAll(() => harness.close())

  describe('64 concurrent bidders on two instances', () => {
    it('BID-07 strictly raise the price, exactly one bid wins, and each response has the state at its place', async () => {
      const listingId = await harness.openAuction()
      const bidders = Array.from({ length: 64 }, (_, index) => randomUser(`Bidder ${index}`))
      // Two bidders try the same amounts, so that ties occur. The amounts of different pairs overlap, so that lower and
      // higher bids arrive in any order.
      const responses = (
        await Promise.all(
          bidders.map(async (bidder, index) => {
            const instance = index % 2 ? harness.first : harness.second
            const amounts = [0, 1, 2].map((step) => 101 + (((index >> 1) * 7 + step * 11) % 40) + step * 20)
            const received: ApiResponse[] = []
            for (const amount of amounts) received.push(await harness.bid(listingId, amount, bidder, instance))
            return received
          }),
        )
      ).flat()
      await expectAcknowledged(harness, listingId, responses)
      const rejected = bodiesWithStatus(responses, 409)
      expect(bodiesWithStatus(responses, 201).length + rejected.length).toBe(192)
      expect(rejected.every((body) => body['code'] === 'bid_too_low' && Number(body['current_bid']) > 10_000)).toBe(
        true,
      )

      const history = await harness.first.service.publicApp.inject({ url: `/api/auctions/${listingId}/bids` })
      const shown: { amount: number; is_winning: boolean }[] = history.json()
      const winning = shown.filter((bid) => bid.is_winning)
      expect(winning.map((bid) => bid.amount)).toEqual([18_000])
      expect(shown[0]).toEqual(winning[0])
    })

    it('get 503 while 1,000 bids wait, and the waiting bids are decided', async () => {
      const listingId = await harness.openAuction()
      const headers = await harness.keys.authorization(randomUser('Alice'))
      const commit = await harness.lockAuction(listingId)
      const place = (amount: number) =>
        harness.first.service.publicApp.inject({
          method: 'POST',
          url: '/api/bids',
          headers,
          payload: { listing_id: listingId, amount },
        })
      let settled = 0
      const pending = Array.from({ length: 1010 }, async (_, index) => {
        const response = await place(101 + index)
        settled += 1
        return response
      })
      // One bid waits for the row lock, and 1,000 bids wait in the queue behind it.
      await eventually(async () => settled === 9)
      await commit()
      const responses = (await Promise.all(pending)).map((response) => ({
        status: response.statusCode,
        body: response.json(),
        retryAfter: response.headers['retry-after'],
      }))
      const shed = responses.filter(({ status }) => status === 503)
      expect(shed).toHaveLength(9)
      expect(shed.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
      expect(bodiesWithStatus(responses, 201).length + bodiesWithStatus(responses, 409).length).toBe(1001)
      await expectAcknowledged(harness, listingId, responses)
    })

    it('are rejected from memory, without waiting for the row, below a price that this instance has seen', async () => {
      const listingId = await harness.openAuction()
      await harness.bid(listingId, 150)
      const commit = await harness.lockAuction(listingId)
      const rejected = { status: 409, body: expect.objectContaining({ code: 'bid_too_low', current_bid: 15_000 }) }
      expect(await harness.bid(listingId, 149.99)).toEqual(rejected)
      expect(await harness.bid(listingId, 150)).toEqual(rejected)
      const waiting = harness.bid(listingId, 150.01)
      await harness.waitForBlockedStatements()
      await commit()
      expect((await waiting).status).toBe(201)
    })
  })

  describe('a bid around the end', () => {
    // This test fails with `now()`, or any clock read before the lock, in lock_auction (0003_lock_auction.sql).
    it('is rejected with its batch when the lock comes after the end, and the batch closes the auction', async () => {
      const listingId = await harness.openAuction()
      const alice = randomUser('Alice')
      await harness.bid(listingId, 150, alice)
      const commit = await harness.lockAuction(listingId)
      const waiting = Array.from({ length: 20 }, (_, index) =>
        harness.bid(listingId, 200 + index, randomUser(), index % 2 ? harness.first : harness.second),
      )
      await harness.waitForBlockedStatements()
      await commit(endNow, [listingId])
      for (const response of await Promise.all(waiting))
        expect(response).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
      expect(
        await harness.rows('select state, outcome, leader_id, current_bid from auctions where listing_id = $1', [
          listingId,
        ]),
      ).toEqual([{ state: 'closed', outcome: 'won', leader_id: alice.userId, current_bid: 15_000 }])
      const types = (await readEvents(harness, listingId)).map((event) => event.type)
      expect(types).toEqual(['BidPlaced', 'AuctionClosed'])
    })

    // This test fails without `.forUpdate().skipLocked()` in `lockDueAuctions`.
    it('is either accepted or rejected while closing sweeps run on both instances', async () => {
      const listingIds = await Promise.all(Array.from({ length: 6 }, () => harness.openAuction()))
      const finished = new AbortController()
      const sweeps = [harness.first, harness.second].map(async ({ ctx }) => {
        while (!finished.signal.aborted) await closeDueAuctions(ctx)
      })
      await Promise.all(
        listingIds.map(async (listingId, round) => {
          const responses = await bidUntilEnded(listingId, 100 + round * 20)
          await expectAcknowledged(harness, listingId, responses)
          expect(await expectClosedOnce(harness, listingId)).toMatchObject({ outcome: 'won' })
        }),
      )
      finished.abort()
      await Promise.all(sweeps)
    })
  })

  // Four bidders outbid each other on both instances until each is rejected as late. The end follows the first bid.
  async function bidUntilEnded(listingId: string, endsInMs: number): Promise<ApiResponse[]> {
    let amount = 102
    const first = await harness.bid(listingId, 101)
    const bidders = [harness.first, harness.second, harness.first, harness.second].map(async (instance) => {
      const bidder = randomUser()
      const received: ApiResponse[] = []
      while (received.at(-1)?.body['code'] !== 'auction_ended')
        received.push(await harness.bid(listingId, amount++, bidder, instance))
      return received
    })
    await harness.setEndIn(listingId, endsInMs)
    return [first, ...(await Promise.all(bidders)).flat()]
  }
})
