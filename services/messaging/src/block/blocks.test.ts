import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { applyBatch, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personalData } from '../personal-data/personal-data.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteEndedBlocks } from '@marketplace/kit/blocks/block-projection.ts'
import { memberBlocksConsumer } from './member-blocks.consumer.ts'
import { paidConversationsConsumer } from './paid-conversations.consumer.ts'
import { deleteOldPaidSales } from './paid-sales.repo.ts'

type Change = [blocker: TestUser, blocked: TestUser, sign: '+' | '-', number: number]

let harness: Harness
let seller: TestUser
let buyer: TestUser
let listingId: string
let conversationId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  seller = harness.addUser('Olive')
  buyer = harness.addUser('Bob')
  listingId = harness.addListing(seller)
  conversationId = (await open(listingId)).body.id
})

const open = (listing: string) =>
  harness.post<{ id: string }>('/api/conversations', { listing_id: listing, message_text: 'Hi' }, buyer)
const send = (as: TestUser, id = conversationId) =>
  harness.post('/api/messages', { conversation_id: id, message_text: 'Hello' }, as)

/** Applies BlockChanged events in one batch: `+` blocks, `-` unblocks. */
const change = (...changes: Change[]) =>
  applyBatch(
    harness.db,
    memberBlocksConsumer,
    changes.map(([{ userId: blockerId }, { userId: blockedId }, sign, number]) => {
      const message = { blockerId, blockedId, isBlocked: sign === '+', number: BigInt(number) }
      return upstreamEvent(topics.users, BlockChangedSchema, message, blockerId)
    }),
  )

/** Applies the event of a paid sale twice. */
async function pay(listing: string): Promise<void> {
  const sale = { saleId: newId(), listingId: listing, buyerId: buyer.userId, sellerId: seller.userId }
  const event = upstreamEvent(topics.payments, PaymentSucceededSchema, sale, listing)
  await applyBatch(harness.db, paidConversationsConsumer, [event])
  await applyBatch(harness.db, paidConversationsConsumer, [event])
}

const rejected = { status: 403, body: { code: 'blocked', error: "You can't message this member." } }

describe('after a block', () => {
  it.each([
    ['the seller blocked the buyer', () => [seller, buyer] as const],
    ['the buyer blocked the seller', () => [buyer, seller] as const],
  ])('BLOCK-07 messages are rejected in both directions when %s, and no conversation starts', async (_case, sides) => {
    await change([...sides(), '+', 1])
    for (const sender of [seller, buyer]) expect(await send(sender)).toMatchObject(rejected)
    expect(await open(listingId)).toMatchObject(rejected)
    const other = harness.addListing(seller)
    expect(await open(other)).toMatchObject(rejected)
    const { rows } = await sql`select 1 from conversations where listing_id = ${other}`.execute(harness.db)
    expect(rows).toEqual([])
    expect((await harness.get(`/api/conversations/${conversationId}/messages`, buyer)).status).toBe(200)
    await change([...sides(), '-', 2])
    expect((await send(seller)).status).toBe(201)
  })

  it('BLOCK-07 messages to and from others are sent', async () => {
    await change([seller, harness.addUser('Mallory'), '+', 1])
    expect((await send(buyer)).status).toBe(201)
  })

  it('BLOCK-07 people who are no participants learn nothing of it', async () => {
    await change([seller, buyer, '+', 1])
    expect((await send(harness.addUser('Xavier'))).status).toBe(404)
  })

  it('BLOCK-07 the conversation about a paid item continues for 60 days, and no other', async () => {
    await pay(listingId)
    await change([seller, buyer, '+', 1])
    expect([(await send(seller)).status, (await send(buyer)).status]).toEqual([201, 201])
    expect(await open(harness.addListing(seller))).toMatchObject(rejected)
    await sql`update paid_sales set paid_at = paid_at - interval '60 days' where listing_id = ${listingId}`.execute(
      harness.db,
    )
    expect(await send(buyer)).toMatchObject(rejected)
  })
})

describe('the copies of blocks and paid sales', () => {
  it('BLOCK-04 keep the latest state whatever the order of the events, and each event may come twice', async () => {
    const statusAfter = async (...changes: Change[]) => {
      await change(...changes)
      return (await send(buyer)).status
    }
    expect(await statusAfter([seller, buyer, '-', 2])).toBe(201)
    expect(await statusAfter([seller, buyer, '+', 1])).toBe(201)
    expect(await statusAfter([seller, buyer, '+', 3], [seller, buyer, '+', 3])).toBe(403)
    expect(await statusAfter([seller, buyer, '-', 2], [seller, buyer, '+', 1])).toBe(403)
    expect(await statusAfter([seller, buyer, '-', 4])).toBe(201)
  })

  it('BLOCK-04 are deleted 30 days after the end of a block and 60 days after a payment, and not before', async () => {
    await pay(listingId)
    const mallory = harness.addUser('Mallory')
    await change([seller, buyer, '+', 1], [seller, mallory, '-', 2])
    const left = async () => {
      await deleteEndedBlocks(harness.db)
      await deleteOldPaidSales(harness.db)
      const { rows } = await sql<{ left: string }>`
        select 'sale' as left from paid_sales where buyer_id = ${buyer.userId}
        union all select case when is_blocked then 'block' else 'end' end from blocks where blocker_id = ${seller.userId}
        order by 1`.execute(harness.db)
      return rows.map((row) => row.left)
    }
    expect(await left()).toEqual(['block', 'end', 'sale'])
    await sql`update blocks set changed_at = changed_at - interval '30 days'`.execute(harness.db)
    await sql`update paid_sales set paid_at = paid_at - interval '60 days'`.execute(harness.db)
    expect(await left()).toEqual(['block'])
  })

  it('BLOCK-08 are exported to the buyer without blocks, and erased with either side', async () => {
    await pay(listingId)
    const run = <Result>(work: (trx: Parameters<typeof personalData.collect>[0]) => Promise<Result>) =>
      transaction(harness.db, work)
    await change([seller, buyer, '+', 1])
    expect(await run((trx) => personalData.collect(trx, buyer.userId))).toEqual({
      conversations: [expect.anything()],
      paidSales: [{ listingId, paidAt: expect.any(String) }],
      replyTimes: [],
    })
    const erased = await run((trx) => personalData.erase(trx, buyer.userId))
    expect(erased).toMatchObject({ blocks: 1, 'paid sales': 1 })
    await change([seller, buyer, '+', 1])
    expect(await run((trx) => personalData.erase(trx, seller.userId))).toMatchObject({ blocks: 1, 'paid sales': 0 })
  })
})
