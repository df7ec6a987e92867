import { registry } from '@marketplace/kit/metrics.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { byStatus, eventsOf, expectAcknowledged, expectClosedOnce } from '../testing/books.ts'
import type { Answer } from '../testing/post-bid.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

const alice = someone('Alice')

/** An auction whose next bids the first process judges ahead: its last two groups had nobody between them. */
async function openBusy(): Promise<{ listingId: string; answers: Answer[] }> {
  const listingId = await stage.openAuction()
  return { listingId, answers: [await stage.bid(listingId, 101), await stage.bid(listingId, 102)] }
}

/** How groups were decided while this ran, both processes together. */
async function waysOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async () => {
    const values = (await registry.getSingleMetric('auction_decisions_total')?.get())?.values ?? []
    return new Map(values.map(({ labels, value }) => [String(labels['way']), value]))
  }
  const before = await read()
  await work()
  const counts = [...(await read())].map(([way, count]): [string, number] => [way, count - (before.get(way) ?? 0)])
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

it('a bid is judged under the lock until two came without another process between them, and ahead from then on', async () => {
  const listingId = await stage.openAuction()
  const answers: Answer[] = []
  const place = async (amount: number) => void answers.push(await stage.bid(listingId, amount, alice))
  expect(await waysOf(async () => [await place(101), await place(102)])).toEqual({ locked: 2 })
  expect(await waysOf(async () => [await place(103), await place(104)])).toEqual({ ahead: 2 })
  await expectAcknowledged(stage, listingId, answers)
  const [bid] = await stage.rows('select placed_at from bids where listing_id = $1 and amount = 10400', [listingId])
  const told = {
    created_at: answers[3]?.body['created_at'],
    placedAt: (await eventsOf(stage, listingId))[3]?.payload['placedAt'],
  }
  const placedAt = Object(bid?.['placed_at']).toISOString()
  expect(told).toEqual({ created_at: placedAt, placedAt })
})

// Turns red without the comparison of number and bid in lock_expected_auction (0004_lock_expected_auction.sql).
it('a bid judged ahead is judged again when another process was there first', async () => {
  const { listingId, answers } = await openBusy()
  answers.push(await stage.bid(listingId, 200, alice, stage.second))
  const ways = await waysOf(async () => answers.push(await stage.bid(listingId, 150)))
  expect(ways).toEqual({ missed: 1, locked: 1 })
  expect(answers.at(-1)).toMatchObject({ status: 409, body: { code: 'bid_too_low', current_bid: 20_000 } })
  answers.push(await stage.bid(listingId, 201))
  await expectAcknowledged(stage, listingId, answers)
})

// Turns red with the number alone: as many bids of another process leave the number that was expected.
it('a bid judged behind one that was lost is judged again, also where another process brought the number so far', async () => {
  const { listingId, answers } = await openBusy()
  const commit = await stage.lock(listingId)
  const lost = stage.bid(listingId, 103)
  await stage.someoneWaits()
  // Another process is next at the row, and leaves the number that the lost one would have left.
  const other = stage.bid(listingId, 120, alice, stage.second)
  await stage.someoneWaits(2)
  const behind = Array.from({ length: 30 }, (_, index) => stage.bid(listingId, 104 + index))
  await stage.someoneWaits(3)
  await stage.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' order by query_start limit 1`,
  )
  expect((await lost).status).toBe(500)
  await commit()
  answers.push(await other, ...(await Promise.all(behind)))
  expect(byStatus(answers, 201).length + byStatus(answers, 409).length).toBe(33)
  await expectAcknowledged(stage, listingId, answers)
})

// Turns red without `end_at > now` in lock_expected_auction.
it('bids judged ahead that get the row only after the end are refused, and close the auction', async () => {
  const { listingId } = await openBusy()
  await stage.endIn(listingId, 2000)
  const commit = await stage.lock(listingId)
  const late = Array.from({ length: 40 }, (_, index) => stage.bid(listingId, 110 + index))
  await stage.someoneWaits(2)
  await eventually(async () => {
    const [row] = await stage.rows('select end_at <= clock_timestamp() as over from auctions where listing_id = $1', [
      listingId,
    ])
    return row?.['over']
  })
  await commit()
  for (const answer of await Promise.all(late))
    expect(answer).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
  expect(await expectClosedOnce(stage, listingId)).toMatchObject({ outcome: 'won', bid_count: 2 })
})

it('a crowd of 64 on one process, beside some on another: every answer is as of its place', async () => {
  const { listingId, answers } = await openBusy()
  let amount = 102
  const lanes = Array.from({ length: 64 }, async (_, index) => {
    const bidder = someone(`Bidder ${index}`)
    const given: Answer[] = []
    for (let round = 0; round < 8; round += 1) {
      const at = index === 0 ? stage.second : stage.first
      // Mostly above what is there, at times what somebody else has just bid.
      given.push(await stage.bid(listingId, index % 5 ? ++amount : amount, bidder, at))
    }
    return given
  })
  const ways = await waysOf(async () => answers.push(...(await Promise.all(lanes)).flat()))
  expect(ways['ahead']).toBeGreaterThan(0)
  expect(byStatus(answers, 201).length + byStatus(answers, 409).length).toBe(2 + 64 * 8)
  await expectAcknowledged(stage, listingId, answers)
})
