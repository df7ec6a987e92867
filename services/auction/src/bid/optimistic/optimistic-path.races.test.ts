import { registry } from '@marketplace/kit/telemetry/metrics.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bodiesWithStatus, expectAcknowledged, expectClosedOnce, readEvents } from '../../testing/auction-assertions.ts'
import { createHarness, endNow, type Harness } from '../../testing/harness.ts'
import type { ApiResponse } from '../../testing/post-bid.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const alice = randomUser('Alice')

/** Opens an auction whose next bids the first instance decides optimistically, because it decided the last two batches. */
async function openBusyAuction(): Promise<{ listingId: string; responses: ApiResponse[] }> {
  const listingId = await harness.openAuction()
  return { listingId, responses: [await harness.bid(listingId, 101), await harness.bid(listingId, 102)] }
}

/** Counts the decisions of both instances by path while the given work runs. */
async function countDecisions(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async () => {
    const values = (await registry.getSingleMetric('auction_decisions_total')?.get())?.values ?? []
    return new Map(values.map(({ labels, value }) => [String(labels['way']), value]))
  }
  const before = await read()
  await work()
  const counts = [...(await read())].map(([way, count]): [string, number] => [way, count - (before.get(way) ?? 0)])
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

it('decides bids under the lock until one instance has decided two batches in a row', async () => {
  const listingId = await harness.openAuction()
  const responses: ApiResponse[] = []
  const place = async (amount: number) => void responses.push(await harness.bid(listingId, amount, alice))
  expect(await countDecisions(async () => [await place(101), await place(102)])).toEqual({ locked: 2 })
  expect(await countDecisions(async () => [await place(103), await place(104)])).toEqual({ ahead: 2 })
  await expectAcknowledged(harness, listingId, responses)
  const [bid] = await harness.rows('select placed_at from bids where listing_id = $1 and amount = 10400', [listingId])
  const reported = {
    created_at: responses[3]?.body['created_at'],
    placedAt: (await readEvents(harness, listingId))[3]?.payload['placedAt'],
  }
  const placedAt = Object(bid?.['placed_at']).toISOString()
  expect(reported).toEqual({ created_at: placedAt, placedAt })
})

// This test fails without the comparison of number and bid in lock_expected_auction_for_bidders
// (0015_bound_of_exposures.sql).
it('decides a bid again under the lock when another instance has bid in between', async () => {
  const { listingId, responses } = await openBusyAuction()
  responses.push(await harness.bid(listingId, 200, alice, harness.second))
  const ways = await countDecisions(async () => responses.push(await harness.bid(listingId, 150)))
  expect(ways).toEqual({ missed: 1, locked: 1 })
  expect(responses.at(-1)).toMatchObject({ status: 409, body: { code: 'bid_too_low', current_bid: 20_000 } })
  responses.push(await harness.bid(listingId, 201))
  await expectAcknowledged(harness, listingId, responses)
})

// This test fails if only the auction's number is compared, because the bids of the other instance bring the number to
// the expected value.
it('decides a bid again when the batch before it was lost and another instance reached the same number', async () => {
  const { listingId, responses } = await openBusyAuction()
  const commit = await harness.lockAuction(listingId)
  const lost = harness.bid(listingId, 103)
  await harness.waitForBlockedStatements()
  // The other instance is next in the queue for the row and leaves the number that the lost bid would have left.
  const other = harness.bid(listingId, 120, alice, harness.second)
  await harness.waitForBlockedStatements(2)
  const later = Array.from({ length: 30 }, (_, index) => harness.bid(listingId, 104 + index))
  await harness.waitForBlockedStatements(3)
  await harness.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' order by query_start limit 1`,
  )
  expect((await lost).status).toBe(503)
  await commit()
  responses.push(await other, ...(await Promise.all(later)))
  expect(bodiesWithStatus(responses, 201).length + bodiesWithStatus(responses, 409).length).toBe(33)
  await expectAcknowledged(harness, listingId, responses)
})

// This test fails without `end_at <= now` in lock_expected_auction_for_bidders.
it('rejects optimistic bids that get the row only after the end, and closes the auction', async () => {
  const { listingId } = await openBusyAuction()
  const commit = await harness.lockAuction(listingId)
  const late = Array.from({ length: 40 }, (_, index) => harness.bid(listingId, 110 + index))
  await harness.waitForBlockedStatements(2)
  await commit(endNow, [listingId])
  for (const response of await Promise.all(late))
    expect(response).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
  expect(await expectClosedOnce(harness, listingId)).toMatchObject({ outcome: 'won', bid_count: 2 })
})

it('returns the state at its own place to each of 64 bidders while another instance bids too', async () => {
  const { listingId, responses } = await openBusyAuction()
  let amount = 102
  const bidders = Array.from({ length: 64 }, async (_, index) => {
    const bidder = randomUser(`Bidder ${index}`)
    const received: ApiResponse[] = []
    for (let round = 0; round < 8; round += 1) {
      const at = index === 0 ? harness.second : harness.first
      // Every fifth bidder repeats the last amount, so that some bids tie.
      received.push(await harness.bid(listingId, index % 5 ? ++amount : amount, bidder, at))
    }
    return received
  })
  const ways = await countDecisions(async () => responses.push(...(await Promise.all(bidders)).flat()))
  expect(ways['ahead']).toBeGreaterThan(0)
  expect(bodiesWithStatus(responses, 201).length + bodiesWithStatus(responses, 409).length).toBe(2 + 64 * 8)
  await expectAcknowledged(harness, listingId, responses)
})
