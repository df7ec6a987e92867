import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '@marketplace/testing/eventually.ts'
import { bodiesWithStatus, readEvents, expectAcknowledged, expectClosedOnce } from '../testing/auction-assertions.ts'
import { startProcess, type ServiceProcess } from '../testing/processes.ts'
import type { ApiResponse, BidEndpoint } from '../testing/post-bid.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let processes: ServiceProcess[]

beforeAll(async () => {
  harness = await createHarness()
  processes = await Promise.all([1, 2, 3].map(() => startProcess(harness.settings)))
})
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop('SIGTERM')))
  await harness.close()
})

// Assigns bids to the processes in turn.
function endpointOf(index: number): BidEndpoint {
  return processes[index % processes.length] ?? harness.first
}

describe('three processes on one database', () => {
  // This test fails without `for update` in lock_auction (0003_lock_auction.sql).
  it('BID-07 accept strictly rising amounts from 64 concurrent bidders, and each response has the state at its place', async () => {
    const listingId = await harness.openAuction()
    const bids = Array.from({ length: 64 }, async (_, index) => {
      const bidder = randomUser(`Bidder ${index}`)
      const responses: ApiResponse[] = []
      // Two bidders try each amount, on different processes.
      for (let step = 0; step < 4; step += 1)
        responses.push(await harness.bid(listingId, 101 + (index >> 1) + step * 32, bidder, endpointOf(index + step)))
      return responses
    })
    const responses = (await Promise.all(bids)).flat()
    expect(bodiesWithStatus(responses, 201).length + bodiesWithStatus(responses, 409).length).toBe(256)
    expect(Math.max(...bodiesWithStatus(responses, 201).map((bid) => Number(bid['amount'])))).toBe(22_800)
    await expectAcknowledged(harness, listingId, responses)
  })

  // This test fails without `for update` in lock_auction: bids violate the unique constraints on amounts and numbers.
  it('BID-09 accept no bid after the end, and one bid wins, when 500 bids arrive in the last second', async () => {
    const listingId = await harness.openAuction()
    const bidders = Array.from({ length: 20 }, (_, index) => randomUser(`Bidder ${index}`))
    // Signs the tokens and opens the connections of every process before the last second.
    await Promise.all(bidders.map((bidder, index) => harness.bid(listingId, 50, bidder, endpointOf(index))))
    const first = await harness.bid(listingId, 100.5, bidders[0], endpointOf(0))
    await harness.setEndIn(listingId, 1000)
    const endsAt = performance.now() + 1000
    const responses = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        // A third of the bids is sent within 3 ms of the end, before and after it.
        const at = index % 3 === 0 ? endsAt + (index % 7) - 3 : endsAt - 1000 + index * 2
        await new Promise((done) => setTimeout(done, at - performance.now()))
        return harness.bid(listingId, 101 + (index >> 1), bidders[index % 20], endpointOf(index))
      }),
    )
    await harness.waitUntilClosed(listingId)
    const rejected = bodiesWithStatus(responses, 409)
    expect(bodiesWithStatus(responses, 201).length + rejected.length).toBe(500)
    expect(rejected.some((body) => body['code'] === 'auction_ended')).toBe(true)
    await expectAcknowledged(harness, listingId, [first, ...responses])
    expect(await expectClosedOnce(harness, listingId)).toMatchObject({ outcome: 'won', soon: true })
  })

  // The auction can be closed by the sweep that skips locked rows, by a late bid, or by the sweep that waits for the
  // row lock. close-auctions.test.ts tests the waiting sweep alone.
  it('BID-09 close an auction once and within 10 s under a flood of late bids', async () => {
    const listingId = await harness.openAuction()
    const first = await harness.bid(listingId, 150)
    const flood = new AbortController()
    let rejected = 0
    const bidders = Array.from({ length: 24 }, async (_, index) => {
      const bidder = randomUser()
      while (!flood.signal.aborted) {
        const { status } = await harness.bid(listingId, 120, bidder, endpointOf(index))
        if (status === 409) rejected += 1
      }
    })
    await eventually(() => rejected > 24)
    await harness.setEndIn(listingId, 300)
    await harness.waitUntilClosed(listingId)
    flood.abort()
    await Promise.all(bidders)
    await expectAcknowledged(harness, listingId, [first])
    expect(await expectClosedOnce(harness, listingId)).toMatchObject({ outcome: 'won', soon: true })
  })

  it('BID-09 close 1,000 auctions that end in the same second, each once and within 10 s', async () => {
    const seller = harness.seller.userId
    await harness.rows(
      `with opened as (
         insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
         select gen_random_uuid(), $1, 'One of many', '', 100, 0, clock_timestamp() + interval '1 day'
         from generate_series(1, 1000) as n returning listing_id
       ), placed as (
         insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
         select gen_random_uuid(), listing_id, 1, 200, gen_random_uuid(), 'A***e', clock_timestamp() from opened
         returning id, listing_id, bidder_id
       ) select 1`,
      [seller],
    )
    await harness.rows(
      `update auctions set leading_bid_id = bids.id, leader_id = bids.bidder_id, current_bid = 200, bid_count = 1, number = 1
       from bids where bids.listing_id = auctions.listing_id and title = 'One of many'`,
    )
    const [counts] = await harness.rows(
      `select count(*) filter (where state = 'open')::int as open from auctions where title = 'One of many'`,
    )
    expect(counts).toEqual({ open: 1000 })
    await harness.rows(
      `update auctions set end_at = date_trunc('milliseconds', clock_timestamp() + n * interval '1 millisecond')
       from (select listing_id as id, row_number() over () as n from auctions where title = 'One of many') as numbered
       where listing_id = id`,
    )
    await eventually(async () => {
      const open = await harness.rows(
        `select 1 from auctions where title = 'One of many' and state <> 'closed' limit 1`,
      )
      return open.length === 0
    })
    const [closed] = await harness.rows(
      `select count(*)::int as closed, max(closed_at - end_at) <= interval '10 seconds' as soon,
         (select count(*)::int from holds join auctions using (listing_id) where title = 'One of many') as wins,
         (select count(*)::int from outbox join auctions on key = listing_id::text where title = 'One of many') as events
       from auctions where title = 'One of many' and state = 'closed' and outcome = 'won'`,
    )
    expect(closed).toEqual({ closed: 1000, soon: true, wins: 1000, events: 1000 })
  })
})

describe('after SIGKILL of the process that accepted the bids', () => {
  // This test fails if responses are kept in memory only: without `storeBidResponses` in locked-decider.ts.
  it('other processes return the first response to a bid with a key, and close the auction', async () => {
    const [listingId, ending] = await Promise.all([harness.openAuction(), harness.openAuction()])
    const last = await harness.bid(ending, 150, randomUser(), endpointOf(0))
    const bid = { listingId, amount: 150, bidder: randomUser('Alice') }
    const first = await harness.keyedBid('kept', { ...bid, at: endpointOf(0) })
    expect(first).toMatchObject({ status: 201, body: { is_winning: true } })
    await harness.bid(listingId, 200, randomUser('Bob'), endpointOf(1))
    await harness.setEndIn(ending, 20)
    const [killed] = processes.splice(0, 1)
    await killed?.stop('SIGKILL')
    expect(await harness.keyedBid('kept', { ...bid, at: endpointOf(0) })).toEqual(first)
    const next = await startProcess(harness.settings)
    processes.push(next)
    expect(await harness.keyedBid('kept', { ...bid, at: next })).toEqual(first)
    expect((await readEvents(harness, listingId)).map((event) => event.type)).toEqual(['BidPlaced', 'BidPlaced'])
    await harness.waitUntilClosed(ending)
    await expectAcknowledged(harness, ending, [last])
    expect(await expectClosedOnce(harness, ending)).toMatchObject({ outcome: 'won', soon: true })
  })
})
