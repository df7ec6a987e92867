import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byStatus, eventsOf, expectAcknowledged, expectClosedOnce } from '../testing/books.ts'
import { startProcess, type ServiceProcess } from '../testing/processes.ts'
import type { Answer, Door } from '../testing/post-bid.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage
let processes: ServiceProcess[]

beforeAll(async () => {
  stage = await setStage()
  processes = await Promise.all([1, 2, 3].map(() => startProcess(stage.settings)))
})
afterAll(async () => {
  await Promise.all(processes.map((process) => process.end('SIGTERM')))
  await stage.close()
})

// Round and round, so that all processes take part.
function doorOf(index: number): Door {
  return processes[index % processes.length] ?? stage.first
}

describe('three processes on one database', () => {
  // Turns red without `for update` in lock_auction (0003_lock_auction.sql).
  it('BID-07 64 bidders at once: amounts strictly rise, one is winning, each answer is as of its place', async () => {
    const listingId = await stage.openAuction()
    const bids = Array.from({ length: 64 }, async (_, index) => {
      const bidder = someone(`Bidder ${index}`)
      const answers: Answer[] = []
      // Two bidders try each amount, at different processes.
      for (let step = 0; step < 4; step += 1)
        answers.push(await stage.bid(listingId, 101 + (index >> 1) + step * 32, bidder, doorOf(index + step)))
      return answers
    })
    const answers = (await Promise.all(bids)).flat()
    expect(byStatus(answers, 201).length + byStatus(answers, 409).length).toBe(256)
    expect(Math.max(...byStatus(answers, 201).map((bid) => Number(bid['amount'])))).toBe(22_800)
    await expectAcknowledged(stage, listingId, answers)
  })

  // Turns red without `for update` in lock_auction: bids fail on the unique amounts and numbers.
  it('BID-09 500 bids in the last second, with ties and around its very end: none counts late, one wins', async () => {
    const listingId = await stage.openAuction()
    const bidders = Array.from({ length: 20 }, (_, index) => someone(`Bidder ${index}`))
    // Tokens are signed before, and every process is warm.
    await Promise.all(bidders.map((bidder, index) => stage.bid(listingId, 50, bidder, doorOf(index))))
    await stage.endIn(listingId, 1000)
    const endsAt = performance.now() + 1000
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        // A third of them within a few milliseconds of the end, on both sides.
        const at = index % 3 === 0 ? endsAt + (index % 7) - 3 : endsAt - 1000 + index * 2
        await new Promise((done) => setTimeout(done, at - performance.now()))
        return stage.bid(listingId, 101 + (index >> 1), bidders[index % 20], doorOf(index))
      }),
    )
    await stage.isClosed(listingId)
    const refused = byStatus(answers, 409)
    expect(byStatus(answers, 201).length + refused.length).toBe(500)
    expect(refused.some((body) => body['code'] === 'auction_ended')).toBe(true)
    await expectAcknowledged(stage, listingId, answers)
    expect(await expectClosedOnce(stage, listingId)).toMatchObject({ outcome: 'won', soon: true })
  })

  // Whoever is first closes it: a closer that finds the row free, a late bid, or the closer that waits for an overdue row
  // (close-auctions.test.ts holds that one to it: it turns red when `lockOverdueAuction` skips locked rows).
  it('BID-09 an auction under a flood of late bids is closed soon, once', async () => {
    const listingId = await stage.openAuction()
    const first = await stage.bid(listingId, 150)
    await stage.endIn(listingId, 300)
    const flooding = new AbortController()
    let refused = 0
    const lanes = Array.from({ length: 24 }, async (_, index) => {
      const bidder = someone()
      while (!flooding.signal.aborted) {
        const { status } = await stage.bid(listingId, 120, bidder, doorOf(index))
        if (status === 409) refused += 1
      }
    })
    await stage.isClosed(listingId)
    flooding.abort()
    await Promise.all(lanes)
    expect(refused).toBeGreaterThan(24)
    await expectAcknowledged(stage, listingId, [first])
    expect(await expectClosedOnce(stage, listingId)).toMatchObject({ outcome: 'won', soon: true })
  })

  it('BID-09 1,000 auctions that end in the same second are closed soon, each once', async () => {
    const seller = stage.seller.userId
    await stage.rows(
      `with opened as (
         insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
         select gen_random_uuid(), $1, 'One of many', '', 100, 0,
           date_trunc('milliseconds', clock_timestamp() + interval '1 second' + n * interval '1 millisecond')
         from generate_series(1, 1000) as n returning listing_id
       ), placed as (
         insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
         select gen_random_uuid(), listing_id, 1, 200, gen_random_uuid(), 'A***e', clock_timestamp() from opened
         returning id, listing_id, bidder_id
       ) select 1`,
      [seller],
    )
    await stage.rows(
      `update auctions set leading_bid_id = bids.id, leader_id = bids.bidder_id, current_bid = 200, bid_count = 1, number = 1
       from bids where bids.listing_id = auctions.listing_id and title = 'One of many'`,
    )
    const [counts] = await stage.rows(
      `select count(*) filter (where state = 'open')::int as open from auctions where title = 'One of many'`,
    )
    expect(counts).toEqual({ open: 1000 })
    const ends = await stage.rows(`select listing_id from auctions where title = 'One of many' order by end_at desc`)
    await stage.isClosed(String(ends[0]?.['listing_id']))
    await Promise.all(ends.slice(0, 10).map((row) => stage.isClosed(String(row['listing_id']))))
    const [closed] = await stage.rows(
      `select count(*)::int as closed, max(closed_at - end_at) <= interval '10 seconds' as soon,
         (select count(*)::int from holds join auctions using (listing_id) where title = 'One of many') as wins,
         (select count(*)::int from outbox join auctions on key = listing_id::text where title = 'One of many') as events
       from auctions where title = 'One of many' and state = 'closed' and outcome = 'won'`,
    )
    expect(closed).toEqual({ closed: 1000, soon: true, wins: 1000, events: 1000 })
  })
})

describe('a kill -9 of the process that took the bids', () => {
  // Turns red with answers kept in memory: without `storeAnswers` in decide-bids.ts.
  it('leaves a keyed bid its first answer, from another process and the next; the auction is closed soon', async () => {
    const [listingId, ending] = await Promise.all([stage.openAuction(), stage.openAuction()])
    const last = await stage.bid(ending, 150, someone(), doorOf(0))
    const bid = { listingId, amount: 150, bidder: someone('Alice') }
    const first = await stage.keyedBid('kept', { ...bid, at: doorOf(0) })
    expect(first).toMatchObject({ status: 201, body: { is_winning: true } })
    await stage.bid(listingId, 200, someone('Bob'), doorOf(1))
    await stage.endIn(ending, 20)
    const [killed] = processes.splice(0, 1)
    await killed?.end('SIGKILL')
    expect(await stage.keyedBid('kept', { ...bid, at: doorOf(0) })).toEqual(first)
    const next = await startProcess(stage.settings)
    processes.push(next)
    expect(await stage.keyedBid('kept', { ...bid, at: next })).toEqual(first)
    expect((await eventsOf(stage, listingId)).map((event) => event.type)).toEqual(['BidPlaced', 'BidPlaced'])
    await expectAcknowledged(stage, ending, [last])
    expect(await expectClosedOnce(stage, ending)).toMatchObject({ outcome: 'won', soon: true })
  })
})
