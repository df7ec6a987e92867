import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { applyBatch, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { memberBlocksConsumer } from '../block/member-blocks.consumer.ts'
import { openConversation } from '../conversation/open-conversation.ts'
import { personalData } from '../personal-data/personal-data.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteOldReplies } from './replies.repo.ts'

let harness: Harness
let seller: TestUser
let buyer: TestUser

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(() => {
  seller = harness.addUser('Olive')
  buyer = harness.addUser('Bob')
})

async function askSeller(): Promise<string> {
  const message = { listing_id: harness.addListing(seller), message_text: 'Is it still there?' }
  return (await harness.post<{ id: string }>('/api/conversations', message, buyer)).body.id
}
const send = (id: string, as: TestUser) =>
  harness.post('/api/messages', { conversation_id: id, message_text: 'Hello' }, as)
const replyTimeOf = (id: string, at = harness.createInstance()) =>
  harness.request<{ reply_time: string | null }>('GET', `/api/users/${id}/reply-time`, { at })

async function rowsOf(conversationId: string): Promise<boolean[]> {
  const { rows } = await sql<{ isReplied: boolean }>`
    select replied_at is not null as "isReplied" from replies where conversation_id = ${conversationId} order by received_at`.execute(
    harness.db,
  )
  return rows.map(({ isReplied }) => isReplied)
}

/** Adds conversations with messages received `ageDays` ago and replied to after `hours`; null for no reply. */
async function addReplies(count: number, hours: number | null, ageDays = 1, from = buyer): Promise<void> {
  await sql`
    with opened as (
      insert into conversations (id, listing_id, listing_title, buyer_id, seller_id)
      select uuidv7(), uuidv7(), 'A lamp', ${from.userId}, ${seller.userId} from generate_series(1, ${count}::int) returning id
    ) insert into replies (conversation_id, received_at, seller_id, replied_at)
    select id, now() - ${ageDays} * interval '1 day', ${seller.userId}, now() - ${ageDays} * interval '1 day' + ${hours}::float8 * interval '1 hour'
    from opened`.execute(harness.db)
}

describe('the time until a seller replies', () => {
  it('SELLR-03 starts with the first unanswered message of the buyer and ends with the reply', async () => {
    const id = await askSeller()
    await send(id, buyer)
    expect(await rowsOf(id)).toEqual([false])
    await send(id, seller)
    await send(id, seller)
    expect(await rowsOf(id)).toEqual([true])
    await send(id, buyer)
    expect(await rowsOf(id)).toEqual([true, false])
  })

  it('SELLR-03 is recorded once for 20 concurrent messages of each side', async () => {
    const id = await askSeller()
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => send(id, index % 2 ? buyer : seller)))
    expect(responses.every(({ status }) => status === 201)).toBe(true)
    await send(id, seller)
    const replied = await rowsOf(id)
    expect(replied).toEqual(replied.map(() => true))
  })

  it('SELLR-03 is deleted after 90 days, and with the erasure of the seller', async () => {
    const id = await askSeller()
    await addReplies(1, 1, 90)
    await deleteOldReplies(harness.db)
    const count = async () => {
      const { rows } = await sql`select 1 from replies where seller_id = ${seller.userId}`.execute(harness.db)
      return rows.length
    }
    expect(await count()).toBe(1)
    const exported = await transaction(harness.db, (trx) => personalData.collect(trx, seller.userId))
    expect(exported).toMatchObject({ replyTimes: [{ receivedAt: expect.any(String), repliedAt: null }] })
    const erase = (user: TestUser) => transaction(harness.db, (trx) => personalData.erase(trx, user.userId))
    expect(await erase(buyer)).toMatchObject({ 'reply times': 0 })
    expect(await erase(seller)).toMatchObject({ 'reply times': 1 })
    expect(await rowsOf(id)).toEqual([])
  })
})

describe('a block', () => {
  const block = (blocker: TestUser, blocked: TestUser) => {
    const message = { blockerId: blocker.userId, blockedId: blocked.userId, isBlocked: true, number: 1n }
    const event = upstreamEvent(topics.users, BlockChangedSchema, message, blocker.userId)
    return applyBatch(harness.db, memberBlocksConsumer, [event])
  }
  const usualTime = async () => (await replyTimeOf(seller.userId)).body.reply_time

  it.each([
    ['the buyer blocks the seller', (mallory: TestUser) => [mallory, seller] as const],
    ['the seller blocks the buyer', (mallory: TestUser) => [seller, mallory] as const],
  ])('SELLR-03 removes the unanswered messages between the two, and no others, when %s', async (_case, sides) => {
    const mallory = harness.addUser('Mallory')
    await addReplies(5, 0.5)
    await addReplies(1, 0.5, 2, mallory)
    await addReplies(6, null, 2, mallory)
    await addReplies(1, null, 2)
    expect(await usualTime()).toBe(null)
    await block(...sides(mallory))
    expect(await usualTime()).toBe('hour')
    const { rows } = await sql`select 1 from replies where seller_id = ${seller.userId}`.execute(harness.db)
    expect(rows).toHaveLength(7)
  })

  it('SELLR-03 removes a first message that commits while the block waits for it', async () => {
    const [listingId, text] = [newId(), 'Is it still there?']
    const draft = { listingId, listingTitle: 'A lamp', buyerId: buyer.userId, sellerId: seller.userId }
    const blocks: Promise<void>[] = []
    const { id } = await transaction(harness.db, async (trx) => {
      const conversation = await openConversation(trx, { draft, text, quotas: harness.settings })
      const applied = block(buyer, seller)
      blocks.push(applied)
      const waits = waitForBlockedStatements(async (query) => (await sql.raw(query).execute(harness.db)).rows)
      await Promise.race([applied, waits])
      return conversation
    })
    await Promise.all(blocks)
    expect(await rowsOf(id)).toEqual([])
  })
})

describe('GET /api/users/{id}/reply-time', () => {
  it('SELLR-03 shows everyone the usual time of five or more replies', async () => {
    await addReplies(4, 0.5)
    expect((await replyTimeOf(seller.userId)).body).toEqual({ reply_time: null })
    await addReplies(1, 0.5)
    expect((await replyTimeOf(seller.userId)).body).toEqual({ reply_time: 'hour' })
    expect((await replyTimeOf(newId())).body).toEqual({ reply_time: null })
    expect((await replyTimeOf('x')).status).toBe(404)
  })

  it('SELLR-03 considers the newest 50 messages of the last 90 days', async () => {
    await addReplies(60, 5, 10)
    await addReplies(26, 0.5, 5)
    expect((await replyTimeOf(seller.userId)).body).toEqual({ reply_time: 'hour' })
    await sql`update replies set received_at = received_at - interval '86 days', replied_at = replied_at - interval '86 days'`.execute(
      harness.db,
    )
    expect((await replyTimeOf(seller.userId)).body).toEqual({ reply_time: null })
  })

  it('SELLR-03 is read from the database once a minute at most', async () => {
    expect((await replyTimeOf(seller.userId, harness.service)).body).toEqual({ reply_time: null })
    await addReplies(5, 0.5)
    expect((await replyTimeOf(seller.userId, harness.service)).body).toEqual({ reply_time: null })
    expect((await replyTimeOf(seller.userId)).body).toEqual({ reply_time: 'hour' })
  })
})
