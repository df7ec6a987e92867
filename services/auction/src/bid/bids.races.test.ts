import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { byStatus, eventsOf, expectAcknowledged, expectClosedOnce } from '../testing/books.ts'
import type { Answer } from '../testing/post-bid.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

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
    await expectAcknowledged(stage, listingId, answers)
    const refused = byStatus(answers, 409)
    expect(byStatus(answers, 201).length + refused.length).toBe(192)
    expect(refused.every((answer) => answer['code'] === 'bid_too_low' && Number(answer['current_bid']) > 10_000)).toBe(
      true,
    )

    const history = await stage.first.service.publicApp.inject({ url: `/api/auctions/${listingId}/bids` })
    const shown: { amount: number; is_winning: boolean }[] = history.json()
    const winning = shown.filter((bid) => bid.is_winning)
    expect(winning.map((bid) => bid.amount)).toEqual([18_000])
    expect(shown[0]).toEqual(winning[0])
  })

  it('are told to come again when 1,000 wait already, and the others count', async () => {
    const listingId = await stage.openAuction()
    const headers = await stage.keys.authorization(someone('Alice'))
    const commit = await stage.lock(listingId)
    const place = (amount: number) =>
      stage.first.service.publicApp.inject({
        method: 'POST',
        url: '/api/bids',
        headers,
        payload: { listing_id: listingId, amount },
      })
    const responses = Array.from({ length: 1010 }, (_, index) => place(101 + index))
    await Promise.race(responses)
    await commit()
    const answers = (await Promise.all(responses)).map((response) => ({
      status: response.statusCode,
      body: response.json(),
      retryAfter: response.headers['retry-after'],
    }))
    const sentAway = answers.filter(({ status }) => status === 503)
    expect(sentAway).toHaveLength(9)
    expect(sentAway.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
    expect(byStatus(answers, 201).length + byStatus(answers, 409).length).toBe(1001)
    await expectAcknowledged(stage, listingId, answers)
  })

  it('are refused from memory below a price that this process has seen, without waiting for the row', async () => {
    const listingId = await stage.openAuction()
    await stage.bid(listingId, 150)
    const commit = await stage.lock(listingId)
    const refused = { status: 409, body: expect.objectContaining({ code: 'bid_too_low', current_bid: 15_000 }) }
    expect(await stage.bid(listingId, 149.99)).toEqual(refused)
    expect(await stage.bid(listingId, 150)).toEqual(refused)
    const waiting = stage.bid(listingId, 150.01)
    await stage.someoneWaits()
    await commit()
    expect((await waiting).status).toBe(201)
  })
})

async function isOver(listingId: string): Promise<unknown> {
  const [row] = await stage.rows('select end_at <= clock_timestamp() as over from auctions where listing_id = $1', [
    listingId,
  ])
  return row?.['over']
}

describe('a bid around the end', () => {
  // Turns red with `now()`, or any clock read before the lock, in place of lock_auction's (0003_lock_auction.sql).
  it('is refused with its group when it got the lock only after the end, which closes the auction', async () => {
    const listingId = await stage.openAuction()
    const alice = someone('Alice')
    await stage.bid(listingId, 150, alice)
    await stage.endIn(listingId, 4000)
    const commit = await stage.lock(listingId)
    const waiting = Array.from({ length: 20 }, (_, index) =>
      stage.bid(listingId, 200 + index, someone(), index % 2 ? stage.first : stage.second),
    )
    await stage.someoneWaits()
    expect(await isOver(listingId)).toBe(false)
    await eventually(() => isOver(listingId))
    await commit()
    for (const answer of await Promise.all(waiting))
      expect(answer).toMatchObject({ status: 409, body: { code: 'auction_ended' } })
    expect(
      await stage.rows('select state, outcome, leader_id, current_bid from auctions where listing_id = $1', [
        listingId,
      ]),
    ).toEqual([{ state: 'closed', outcome: 'won', leader_id: alice.userId, current_bid: 15_000 }])
    expect((await eventsOf(stage, listingId)).map((event) => event.type)).toEqual(['BidPlaced', 'AuctionClosed'])
  })

  // Turns red without `.forUpdate().skipLocked()` in `lockDueAuctions`.
  it('either counts or is refused, while closers run in both processes', async () => {
    const rounds = await Promise.all(Array.from({ length: 6 }, () => stage.openAuction()))
    const over = new AbortController()
    const closers = [stage.first, stage.second].map(async ({ ctx }) => {
      while (!over.signal.aborted) await closeDueAuctions(ctx)
    })
    await Promise.all(
      rounds.map(async (listingId, round) => {
        const answers = await bidUntilEnded(listingId, 100 + round * 20)
        await expectAcknowledged(stage, listingId, answers)
        expect(await expectClosedOnce(stage, listingId)).toMatchObject({ outcome: 'won' })
      }),
    )
    over.abort()
    await Promise.all(closers)
  })
})

// Four bidders raise each other on both processes until each is told that it is over; the end comes soon after the first.
async function bidUntilEnded(listingId: string, endsInMs: number): Promise<Answer[]> {
  let amount = 102
  const first = await stage.bid(listingId, 101)
  const lanes = [stage.first, stage.second, stage.first, stage.second].map(async (instance) => {
    const bidder = someone()
    const answers: Answer[] = []
    while (answers.at(-1)?.body['code'] !== 'auction_ended')
      answers.push(await stage.bid(listingId, amount++, bidder, instance))
    return answers
  })
  await stage.endIn(listingId, endsInMs)
  return [first, ...(await Promise.all(lanes)).flat()]
}
