import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { applyBatch, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personalData } from '../personal-data/personal-data.ts'
import { expectAcknowledged } from '../testing/auction-assertions.ts'
import { deciders } from '../testing/deciders.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import type { ApiResponse } from '../testing/post-bid.ts'
import { buyNow } from '../testing/sales.ts'
import { deleteEndedBlocks } from './blocked-bidders.repo.ts'
import { memberBlocksConsumer } from './member-blocks.consumer.ts'

type Change = [sign: '+' | '-', number: number]

const rounds = 50
const rejected = {
  status: 403,
  body: { code: 'seller_unavailable', error: "This seller isn't available to you." },
}

describe.each(deciders)('with $path', ({ createDecider }) => {
  let harness: Harness
  let bidder: TestUser

  beforeAll(async () => {
    harness = await createHarness(createDecider)
  })
  afterAll(() => harness.close())
  beforeEach(() => {
    bidder = randomUser('Mallory')
  })

  /** Applies BlockChanged events of the seller about a bidder, in one batch: `+` blocks, `-` unblocks. */
  const change = (...changes: Change[]) => changeBlock([harness.seller, bidder], ...changes)
  const changeBlock = ([blocker, blocked]: [blocker: TestUser, blocked: TestUser], ...changes: Change[]) =>
    applyBatch(
      harness.first.ctx.db,
      memberBlocksConsumer,
      changes.map(([sign, number]) => {
        const block = { blockerId: blocker.userId, blockedId: blocked.userId }
        const message = { ...block, isBlocked: sign === '+', number: BigInt(number) }
        return upstreamEvent(topics.users, BlockChangedSchema, message, blocker.userId)
      }),
    )

  /** Opens an auction with three bids up to $103, so that the optimistic path decides the next one. */
  async function openBusyAuction(buyItNowCents?: number): Promise<{ listingId: string; responses: ApiResponse[] }> {
    const listingId = await harness.openAuction({ ...(buyItNowCents !== undefined && { buyItNowCents }) })
    const responses: ApiResponse[] = []
    for (const amount of [101, 102, 103]) responses.push(await harness.bid(listingId, amount))
    return { listingId, responses }
  }

  it('BLOCK-05 rejects bids of a blocked member on the blocker’s auctions, and no others', async () => {
    const { listingId } = await openBusyAuction()
    expect((await harness.bid(listingId, 104, bidder)).status).toBe(201)
    await change(['+', 1])
    expect(await harness.bid(listingId, 105, bidder)).toEqual(rejected)
    expect(await harness.bid(await harness.openAuction(), 105, bidder)).toEqual(rejected)
    expect((await harness.bid(listingId, 106)).status).toBe(201)
    const { listingId: elsewhere } = await openBusyAuction()
    await harness.rows('update auctions set seller_id = $2 where listing_id = $1', [elsewhere, randomUser().userId])
    expect((await harness.bid(elsewhere, 104, bidder)).status).toBe(201)
    await change(['-', 2])
    expect((await harness.bid(listingId, 107, bidder)).status).toBe(201)
  })

  it('BLOCK-05 rejects a checkout of a blocked member, and an open one continues', async () => {
    const [open, other] = [await openBusyAuction(50_000), await openBusyAuction(50_000)]
    const sale = await buyNow(harness.first, bidder, open)
    await change(['+', 1])
    expect(await buyNow(harness.first, bidder, open)).toEqual(sale)
    expect(await buyNow(harness.first, bidder, other)).toEqual({ rejected: 'seller_unavailable' })
    expect(await buyNow(harness.first, randomUser(), other)).toMatchObject({ held: expect.any(String) })
  })

  it('BLOCK-05 keeps a standing bid, which wins', async () => {
    const { listingId } = await openBusyAuction()
    await harness.bid(listingId, 104, bidder)
    await change(['+', 1])
    const [auction] = await harness.rows('select leader_id, state from auctions where listing_id = $1', [listingId])
    expect(auction).toEqual({ leader_id: bidder.userId, state: 'open' })
  })

  it('BLOCK-04 keeps the latest state whatever the order of the events, and each event may come twice', async () => {
    const { listingId } = await openBusyAuction()
    let amount = 103
    const statusAfter = async (...changes: Change[]) => {
      await change(...changes)
      amount += 1
      return (await harness.bid(listingId, amount, bidder)).status
    }
    expect(await statusAfter(['-', 2])).toBe(201)
    expect(await statusAfter(['+', 1])).toBe(201)
    expect(await statusAfter(['+', 3], ['+', 3])).toBe(403)
    expect(await statusAfter(['-', 2], ['+', 1])).toBe(403)
    expect(await statusAfter(['-', 4], ['+', 3])).toBe(201)
  })

  it('BLOCK-05 decides a block and bids at the same time as if one came after the other, 50 times', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { listingId, responses } = await openBusyAuction()
      const mallory = randomUser('Mallory')
      const block = changeBlock([harness.seller, mallory], ['+', 1]).then(() =>
        harness.rows('select clock_timestamp() as at'),
      )
      const bids = Array.from({ length: 8 }, (_, index) => {
        const instance = index % 3 ? harness.first : harness.second
        return harness.bid(listingId, 110 + index, index % 2 ? mallory : randomUser(), instance)
      })
      await expectAcknowledged(harness, listingId, [...responses, ...(await Promise.all(bids))])
      const [blocked] = await block
      const late = 'select number from bids where listing_id = $1 and bidder_id = $2 and placed_at > $3'
      expect(await harness.rows(late, [listingId, mallory.userId, blocked?.['at']])).toEqual([])
      expect(await harness.bid(listingId, 200, mallory)).toEqual(rejected)
      expect((await harness.bid(listingId, 200)).status).toBe(201)
    }
  })

  it('BLOCK-08 hides the block from the export of the blocked member, and an erasure of either side deletes it', async () => {
    const { db } = harness.first.ctx
    const blocker = randomUser()
    const bars = () => harness.rows('select 1 from bars where bidder_id = $1', [bidder.userId])
    for (const erased of [bidder, blocker]) {
      await changeBlock([blocker, bidder], ['+', 1])
      expect(await bars()).toHaveLength(1)
      const exported = await transaction(db, (trx) => personalData.collect(trx, bidder.userId))
      expect(exported).toMatchObject({ suspensions: [] })
      await transaction(db, (trx) => personalData.erase(trx, erased.userId))
      expect(await bars()).toEqual([])
    }
  })

  it('BLOCK-04 deletes the record of an ended block after 30 days, and keeps blocks', async () => {
    const other = randomUser()
    await change(['+', 1])
    await changeBlock([harness.seller, other], ['+', 1], ['-', 2])
    const count = async () =>
      (await harness.rows('select 1 from bars where bidder_id = any($1)', [[bidder.userId, other.userId]])).length
    await deleteEndedBlocks(harness.first.ctx.db)
    expect(await count()).toBe(2)
    await harness.rows(
      `update bars set until = until - interval '30 days', created_at = created_at - interval '90 days'`,
    )
    await deleteEndedBlocks(harness.first.ctx.db)
    expect(await count()).toBe(1)
  })
})
