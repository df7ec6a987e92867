import { plansOf } from '@marketplace/kit/db/query-plans.fixture.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { insertConversations, insertMessages } from '../testing/rows.ts'
import { countConversations, countMessages } from './quotas.repo.ts'

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

const open = (listing = harness.addListing(seller), as = buyer, at = harness.service) =>
  harness.post<{ id: string; code: string }>('/api/conversations', { listing_id: listing, message_text: 'Hi' }, as, at)
const send = (id: string, as = buyer, at = harness.service) =>
  harness.post('/api/messages', { conversation_id: id, message_text: 'Hello' }, as, at)

async function countRows(table: 'messages' | 'conversations', column: string, user: TestUser): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${user.userId}`.execute(
    harness.db,
  )
  return rows[0]?.count ?? 0
}

/** Simulates that `time` passes: moves the times of all messages and conversations into the past. */
async function wait(time: string): Promise<void> {
  for (const table of ['messages', 'conversations'] as const)
    await sql`update ${sql.table(table)} set created_at = created_at - ${time}::interval`.execute(harness.db)
}

const fifty = Array.from({ length: 50 }, (_, index) => index)

describe('the number of messages of a person', () => {
  it('R13 MSG-17 is at most 500 a day, also from 50 concurrent requests to two instances', async () => {
    const { id } = (await open()).body
    const second = (await open()).body.id
    await insertMessages(harness.db, id, buyer, 497)
    const other = harness.createInstance()
    const responses = await Promise.all(
      fifty.map((n) => send(n % 2 ? id : second, buyer, n % 4 < 2 ? other : undefined)),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    const rejected = responses.find(({ status }) => status !== 201)
    expect(rejected).toMatchObject({
      status: 409,
      body: { code: 'too_many_messages', error: 'You can send 500 messages a day. Try again later.' },
    })
    expect(await countRows('messages', 'sender_id', buyer)).toBe(500)
    expect((await open()).body.code).toBe('too_many_messages')
    expect((await send(id, seller)).status).toBe(201)
    await wait('24 hours')
    expect((await send(id)).status).toBe(201)
  })

  it('MSG-17 includes the first messages of conversations, and no one else learns of the limit', async () => {
    const { id } = (await open()).body
    await insertMessages(harness.db, id, buyer, 500)
    expect((await open()).body.code).toBe('too_many_messages')
    expect(await countRows('conversations', 'buyer_id', buyer)).toBe(1)
    expect((await send(newId())).status).toBe(404)
  })
})

describe('the number of new conversations of a person', () => {
  it('R13 MSG-17 is at most 50 a day, also from 50 concurrent requests to two instances', async () => {
    const known = harness.addListing(seller)
    const { id } = (await open(known)).body
    await insertConversations(harness.db, buyer, seller, 48)
    const other = harness.createInstance()
    const responses = await Promise.all(fifty.map((n) => open(undefined, buyer, n % 2 ? other : undefined)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    const rejected = responses.find(({ status }) => status !== 201)
    expect(rejected).toMatchObject({
      status: 409,
      body: {
        code: 'too_many_conversations',
        error: 'You can start 50 new conversations a day. Try again later.',
      },
    })
    expect(await countRows('conversations', 'buyer_id', buyer)).toBe(50)
    expect((await open(known)).body).toMatchObject({ id })
    expect((await send(id)).status).toBe(201)
    expect((await open(harness.addListing(buyer), seller)).status).toBe(201)
    await wait('24 hours')
    expect((await open()).status).toBe(201)
  })
})

describe('the quotas of a person', () => {
  it('MSG-17 BLOCK-07 are checked after a block: a blocked buyer with 50 new conversations gets 403', async () => {
    await insertConversations(harness.db, buyer, seller, 50)
    await sql`
      insert into blocks (blocker_id, blocked_id, is_blocked, number)
      values (${seller.userId}, ${buyer.userId}, true, 1)`.execute(harness.db)
    expect(await open()).toMatchObject({ status: 403, body: { code: 'blocked' } })
    expect((await open(harness.addListing(harness.addUser('Olga')))).body.code).toBe('too_many_conversations')
  })

  it('R13 MSG-17 are counted without reading older rows', async () => {
    const plans = await plansOf(harness.db, async (trx) => {
      await countMessages(trx, buyer.userId, 501)
      await countConversations(trx, buyer.userId, 51)
    })
    const conditions = plans.filter((line) => line.includes('Index Cond'))
    expect(conditions).toEqual([expect.stringContaining('created_at >'), expect.stringContaining('created_at >')])
  })
})
