import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

interface Message {
  id: string
  sender_id: string
  message_text: string
  created_at: string
}

let harness: Harness
let seller: TestUser
let buyer: TestUser
let outsider: TestUser
let conversationId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  seller = harness.addUser('Olive')
  buyer = harness.addUser('Bob')
  outsider = harness.addUser('Xavier')
  const first = { listing_id: harness.addListing(seller), message_text: 'Hello' }
  conversationId = (await harness.post<{ id: string }>('/api/conversations', first, buyer)).body.id
})

const send = (text: unknown, as?: TestUser, id: unknown = conversationId) =>
  harness.post<Message & { error: string }>('/api/messages', { conversation_id: id, message_text: text }, as)
const read = (as?: TestUser, id = conversationId) => harness.get<Message[]>(`/api/conversations/${id}/messages`, as)

async function countMessages(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from messages where conversation_id = ${conversationId}`.execute(harness.db)
  return rows[0]?.count ?? 0
}

describe('POST /api/messages', () => {
  it('MSG-12 stores a message of either participant', async () => {
    const { status, body } = await send('  Is it red?  ', buyer)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      sender_id: buyer.userId,
      message_text: 'Is it red?',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect((await send('It is blue.', seller)).body.sender_id).toBe(seller.userId)
  })

  it('MSG-08 B2 responds with 404 to an outsider or for an unknown conversation, and stores nothing', async () => {
    expect((await send('Let me in', outsider)).status).toBe(404)
    expect((await send('Let me in', buyer, newId())).status).toBe(404)
    expect(await countMessages()).toBe(1)
  })

  it('MSG-08 responds with 401 when signed out', async () => {
    expect((await send('Hello')).status).toBe(401)
    expect(await countMessages()).toBe(1)
  })

  it.each([[''], ['   '], ['x'.repeat(1001)], ['a\u0000'], [null], [['a']]])(
    'MSG-09 L12 rejects the message %j',
    async (text) => {
      expect((await send(text, buyer)).status).toBe(400)
      expect(await countMessages()).toBe(1)
    },
  )

  it.each(['x', 7, null])('responds with 400 for the conversation id %j', async (id) => {
    expect((await send('Hello', buyer, id)).status).toBe(400)
  })

  it('reads the sender only from the session', async () => {
    const body = {
      conversation_id: conversationId,
      message_text: 'Hi',
      sender_id: seller.userId,
      created_at: '2001-01-01T00:00:00Z',
    }
    const { body: message } = await harness.post<Message>('/api/messages', body, buyer)
    expect(message.sender_id).toBe(buyer.userId)
    expect(message.created_at).not.toContain('2001')
  })
})

describe('GET /api/conversations/{id}/messages', () => {
  it('MSG-12 returns all messages, oldest first, to both participants', async () => {
    await send('Is it red?', buyer)
    await send('It is blue.', seller)
    const { status, body } = await read(buyer)
    expect(status).toBe(200)
    expect(body.map((message) => [message.sender_id, message.message_text])).toEqual([
      [buyer.userId, 'Hello'],
      [buyer.userId, 'Is it red?'],
      [seller.userId, 'It is blue.'],
    ])
    expect((await read(seller)).body).toEqual(body)
  })

  it('MSG-12 returns messages in the order of their times when both participants write concurrently to two instances', async () => {
    const other = harness.createInstance()
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const message = { conversation_id: conversationId, message_text: `m${index}` }
        return harness.post('/api/messages', message, index % 2 ? buyer : seller, index % 4 < 2 ? other : undefined)
      }),
    )
    const { body } = await read(buyer)
    const times = body.map((message) => message.created_at)
    expect(body).toHaveLength(41)
    expect(times).toEqual(times.toSorted((a, b) => a.localeCompare(b)))
  })

  it('MSG-08 B1 responds with 404 to an outsider, and for an unknown or malformed id', async () => {
    expect((await read(outsider)).status).toBe(404)
    for (const id of [newId(), 'x', '1', '%00', 'x'.repeat(500)]) expect((await read(buyer, id)).status).toBe(404)
  })

  it('MSG-08 responds with 401 when signed out', async () => {
    expect((await read()).status).toBe(401)
  })
})

it('database constraints reject a second conversation of a listing and buyer, and one whose buyer is the seller', async () => {
  const insert = (listing: string, buyerId: string) =>
    sql`insert into conversations (id, listing_id, listing_title, buyer_id, seller_id)
      values (${newId()}, ${listing}, 'x', ${buyerId}, ${seller.userId})`.execute(harness.db)
  await expect(insert(newId(), seller.userId)).rejects.toThrow('conversations_check')
  const listing = newId()
  await insert(listing, buyer.userId)
  await expect(insert(listing, buyer.userId)).rejects.toThrow('conversations_listing_id_buyer_id_key')
})
