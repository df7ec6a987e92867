import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byStatus, expectAcknowledged } from '../testing/books.ts'
import type { Answer } from '../testing/post-bid.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

// People of their own, so that keys are theirs, and auctions with so many bids before those that a test looks at.
function actOn(earlier: number) {
  const [alice, bob, carol] = [someone('Alice'), someone('Bob'), someone('Carol')]
  const made = new Map<string, Answer[]>()
  return {
    alice,
    bob,
    async open(): Promise<string> {
      const listingId = await stage.openAuction()
      const answers: Answer[] = []
      for (let cents = 1; cents <= earlier; cents += 1)
        answers.push(await stage.bid(listingId, 100 + cents / 100, carol))
      made.set(listingId, answers)
      return listingId
    },
    earlierAnswers: (listingId: string) => made.get(listingId) ?? [],
    /** Without the earlier ones. */
    async bidCount(listingId: string): Promise<number> {
      return (await stage.rows('select 1 from bids where listing_id = $1', [listingId])).length - earlier
    },
  }
}

// From the third bid on, a process judges an auction's bids ahead.
const ways = [
  { auction: 'an auction without bids', earlier: 0 },
  { auction: 'an auction whose bids are judged ahead', earlier: 3 },
]

describe.each(ways)('on $auction, a bid with an Idempotency-Key', ({ earlier }) => {
  const { alice, bob, open, bidCount } = actOn(earlier)

  it('gets its first answer again on another instance, after being outbid', async () => {
    const listingId = await open()
    const bid = { listingId, amount: 150, bidder: alice }
    const first = await stage.keyedBid('a', bid)
    expect(first).toMatchObject({
      status: 201,
      body: { is_winning: true, current_bid: 15_000, bid_count: earlier + 1 },
    })
    // Both instances have seen a price that bars it without its key.
    for (const at of [stage.first, stage.second]) await stage.bid(listingId, at === stage.first ? 160 : 170, bob, at)
    for (const at of [stage.first, stage.second]) expect(await stage.keyedBid('a', { ...bid, at })).toEqual(first)
    expect(await bidCount(listingId)).toBe(3)
  })

  it('gets its refusal again when it would be accepted, or refused otherwise, by now', async () => {
    const listingId = await open()
    await stage.bid(listingId, 150, bob)
    const low = await stage.keyedBid('low', { listingId, amount: 150, bidder: alice })
    const own = await stage.keyedBid(`own ${earlier}`, { listingId, amount: 200, bidder: stage.seller })
    const unknownId = newId()
    const unknown = await stage.keyedBid('unknown', { listingId: unknownId, amount: 200, bidder: alice })
    expect([low.status, own.status, unknown.status]).toEqual([409, 403, 404])
    await stage.bid(listingId, 160, bob)
    await stage.openAuction({ listingId: unknownId })
    await stage.endIn(listingId, -1)
    const at = stage.second
    expect(await stage.keyedBid('low', { listingId, amount: 150, bidder: alice, at })).toEqual(low)
    expect(await stage.keyedBid(`own ${earlier}`, { listingId, amount: 200, bidder: stage.seller, at })).toEqual(own)
    expect(await stage.keyedBid('unknown', { listingId: unknownId, amount: 200, bidder: alice, at })).toEqual(unknown)
  })

  it('is 422 with another body, and changes nothing', async () => {
    const listingId = await open()
    await stage.keyedBid('b', { listingId, amount: 150, bidder: alice })
    const reused = await stage.keyedBid('b', { listingId, amount: 151, bidder: alice, at: stage.second })
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await stage.keyedBid('b', { listingId: await open(), amount: 150, bidder: alice })).toEqual(reused)
    expect(await bidCount(listingId)).toBe(1)
  })

  it("is nobody else's", async () => {
    const listingId = await open()
    expect((await stage.keyedBid('c', { listingId, amount: 150, bidder: alice })).status).toBe(201)
    expect((await stage.keyedBid('c', { listingId, amount: 160, bidder: bob })).status).toBe(201)
  })

  it('is 400 with a key of another form, which is not kept', async () => {
    const listingId = await open()
    const bid = { listingId, amount: 150, bidder: alice }
    expect((await stage.keyedBid('k'.repeat(256), bid)).status).toBe(400)
    expect((await stage.keyedBid('d', { ...bid, amount: -1 })).status).toBe(400)
    expect((await stage.keyedBid('d', bid)).status).toBe(201)
  })
})

describe.each(ways)('on $auction, keyed bids at once', ({ earlier }) => {
  const { alice, bob, open, bidCount, earlierAnswers } = actOn(earlier)

  it('40 with one key on two instances are one bid, and each waits for its answer', async () => {
    const listingId = await open()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        stage.keyedBid('once', { listingId, amount: 150, bidder: alice, at: index % 2 ? stage.first : stage.second }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1)
    expect(await bidCount(listingId)).toBe(1)
  })

  it('with keys that cross on two auctions count once each, beside bids without', async () => {
    const auctions = await Promise.all([open(), open()])
    const keyed = Array.from({ length: 60 }, (_, index) => ({ key: `cross ${index >> 1}`, auction: index % 2 }))
    const answers = await Promise.all(
      keyed.map(async ({ key, auction }, index) => {
        const listingId = auctions[auction] ?? ''
        const at = index % 3 ? stage.first : stage.second
        const amount = 101 + index
        const [withKey, without] = await Promise.all([
          stage.keyedBid(key, { listingId, amount, bidder: alice, at }),
          stage.bid(listingId, amount, bob, at),
        ])
        return { listingId, key, withKey, without }
      }),
    )
    for (const listingId of auctions) {
      const here = answers.filter((answer) => answer.listingId === listingId)
      await expectAcknowledged(stage, listingId, [
        ...earlierAnswers(listingId),
        ...here.flatMap(({ withKey, without }) => [withKey, without]),
      ])
    }
    for (const { key } of keyed) {
      const both = answers.filter((answer) => answer.key === key).map(({ withKey }) => withKey)
      expect(byStatus(both, 422)).toHaveLength(1)
      expect(both.every(({ status }) => [201, 409, 422].includes(status))).toBe(true)
    }
  })

  // Turns red without `if (taken.size > 0) throw new KeyTaken()` in decide-bids.ts.
  it('a key that another group takes meanwhile is 422, and the rest of its group counts', async () => {
    const listingId = await open()
    const takeKey = `insert into idempotency_keys (user_id, route, key, body_hash, state, status, answer)
      values ($1, 'POST /api/bids', 'meanwhile', sha256('another bid'), 'done', 201, '{}')`
    const commit = await stage.during(takeKey, [alice.userId])
    const keyed = stage.keyedBid('meanwhile', { listingId, amount: 130, bidder: alice })
    const others = [110, 120, 140].map((amount) => stage.bid(listingId, amount, bob))
    await stage.someoneWaits()
    await commit()
    expect(await keyed).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    const answers = await Promise.all(others)
    expect(answers.at(-1)?.status).toBe(201)
    await expectAcknowledged(stage, listingId, [...earlierAnswers(listingId), ...answers])
  })
})
