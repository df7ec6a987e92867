import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { setStage, type Answer, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

function byStatus(answers: readonly Answer[], status: number): Record<string, unknown>[] {
  return answers.filter((answer) => answer.status === status).map((answer) => answer.body)
}

async function eventsOf(
  listingId: string,
): Promise<{ type: string; number: number; payload: Record<string, unknown> }[]> {
  const rows = await stage.rows('select type, version, payload from outbox where key = $1 order by seq', [listingId])
  return rows.map((row) => ({
    type: String(row['type']).split('.').at(-1) ?? '',
    number: Number(row['version']),
    payload: Object(row['payload']),
  }))
}

describe('64 concurrent bidders on two processes', () => {
  it('BID-07 bids strictly increase, exactly one is winning, and every answer is as of its place', async () => {
    const listingId = await stage.openAuction()
    const bidders = Array.from({ length: 64 }, (_, index) => someone(`Bidder ${index}`))
    // Amounts cross each other, and each is tried by two bidders: both orders and ties must come out right.
    const answers = (
      await Promise.all(
        bidders.map(async (bidder, index) => {
          const instance = index % 2 ? stage.first : stage.second
          const amounts = [0, 1, 2].map((step) => 101 + (((index >> 1) * 7 + step * 11) % 40) + step * 20)
          const given: Answer[] = []
          for (const amount of amounts) given.push(await stage.bid(listingId, amount, bidder, instance))
          return given
        }),
      )
    ).flat()
    const accepted = byStatus(answers, 201).toSorted(
      (left, right) => Number(left['bid_count']) - Number(right['bid_count']),
    )
    const refused = byStatus(answers, 409)
    expect(accepted.length + refused.length).toBe(192)
    expect(accepted.map((bid) => bid['bid_count'])).toEqual(accepted.map((_, index) => index + 1))
    const amounts = accepted.map((bid) => Number(bid['amount']))
    expect(amounts).toEqual([...new Set(amounts)].toSorted((left, right) => left - right))
    expect(amounts.at(-1)).toBe(18_000)
    expect(accepted.every((bid) => bid['is_winning'] === true && bid['current_bid'] === bid['amount'])).toBe(true)
    expect(refused.every((answer) => answer['code'] === 'bid_too_low' && Number(answer['current_bid']) > 10_000)).toBe(
      true,
    )

    const history = await stage.first.service.publicApp.inject({ url: `/api/auctions/${listingId}/bids` })
    const shown: { amount: number; is_winning: boolean }[] = history.json()
    expect(shown.map((bid) => bid.amount)).toEqual(amounts.toReversed())
    expect(shown.filter((bid) => bid.is_winning).map((bid) => bid.amount)).toEqual([18_000])

    const events = await eventsOf(listingId)
    expect(events.map((event) => event.number)).toEqual(amounts.map((_, index) => index + 1))
    expect(events.map((event) => event.payload['amountCents'])).toEqual(amounts)
  })
})

async function isOver(listingId: string): Promise<unknown> {
  const [row] = await stage.rows('select end_at <= clock_timestamp() as over from auctions where listing_id = $1', [
    listingId,
  ])
  return row?.['over']
}

describe('a bid around the end', () => {
  it('is refused when it got the lock only after the end, and closes the auction', async () => {
    const listingId = await stage.openAuction()
    const alice = someone('Alice')
    await stage.bid(listingId, 150, alice)
    await stage.endIn(listingId, 1500)
    const commit = await stage.lock(listingId)
    const waiting = stage.bid(listingId, 200)
    await stage.someoneWaits()
    expect(await isOver(listingId)).toBe(false)
    await eventually(() => isOver(listingId))
    await commit()
    expect(await waiting).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
    expect(
      await stage.rows('select state, outcome, leader_id, current_bid from auctions where listing_id = $1', [
        listingId,
      ]),
    ).toEqual([{ state: 'closed', outcome: 'won', leader_id: alice.userId, current_bid: 15_000 }])
    expect((await eventsOf(listingId)).map((event) => event.type)).toEqual(['BidPlaced', 'AuctionClosed'])
  })

  it('either counts or is refused, while closers run in both processes', async () => {
    const rounds = await Promise.all(Array.from({ length: 6 }, () => stage.openAuction()))
    const over = new AbortController()
    const closers = [stage.first, stage.second].map(async ({ ctx }) => {
      while (!over.signal.aborted) await closeDueAuctions(ctx)
    })
    const acceptedOf = await Promise.all(
      rounds.map(async (listingId, round) => {
        await stage.endIn(listingId, 600 + round * 20)
        return byStatus(await bidUntilEnded(listingId), 201).map((bid) => Number(bid['amount']))
      }),
    )
    over.abort()
    await Promise.all(closers)
    for (const [round, listingId] of rounds.entries()) {
      const accepted = acceptedOf[round] ?? []
      expect(accepted.length).toBeGreaterThan(0)
      await expectClosedOnce(listingId, Math.max(...accepted), accepted.length)
    }
  })
})

// Four bidders raise each other, on both processes, until each is told that the auction has ended.
async function bidUntilEnded(listingId: string): Promise<Answer[]> {
  let amount = 101
  const lanes = [stage.first, stage.second, stage.first, stage.second].map(async (instance) => {
    const bidder = someone()
    const answers: Answer[] = []
    while (answers.at(-1)?.body['code'] !== 'auction_ended')
      answers.push(await stage.bid(listingId, amount++, bidder, instance))
    return answers
  })
  return (await Promise.all(lanes)).flat()
}

async function expectClosedOnce(listingId: string, price: number, bidCount: number): Promise<void> {
  const [auction] = await stage.rows(
    `select state, outcome, current_bid, bid_count, number,
       (select count(*)::int from bids where listing_id = $1) as bids,
       (select count(*)::int from bids where listing_id = $1 and placed_at >= end_at) as late_bids,
       (select json_agg(price) from holds where listing_id = $1) as prices
     from auctions where listing_id = $1`,
    [listingId],
  )
  expect(auction).toEqual({
    state: 'closed',
    outcome: 'won',
    current_bid: price,
    bid_count: bidCount,
    number: bidCount + 1,
    bids: bidCount,
    late_bids: 0,
    prices: [price],
  })
  const events = await eventsOf(listingId)
  expect(events.map((event) => event.number)).toEqual(events.map((_, index) => index + 1))
  expect(events.filter((event) => event.type === 'AuctionClosed').map((event) => event.number)).toEqual([bidCount + 1])
}
