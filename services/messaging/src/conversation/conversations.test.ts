import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import type { ConversationView } from './conversation.view.ts'
import type { z } from 'zod'

type Conversation = z.output<typeof ConversationView>

let harness: Harness
let seller: TestUser
let buyer: TestUser
let listingId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(() => {
  seller = harness.addUser('Olive')
  buyer = harness.addUser('Bob')
  listingId = harness.addListing(seller)
})

const open = (text: unknown = 'Is it still there?', as: TestUser | undefined = buyer, listing: unknown = listingId) =>
  harness.post<Conversation>('/api/conversations', { listing_id: listing, message_text: text }, as)
const reply = (id: string, text: string, as: TestUser) =>
  harness.post('/api/messages', { conversation_id: id, message_text: text }, as)
const listOf = async (as: TestUser) => (await harness.get<Conversation[]>('/api/conversations', as)).body

async function countRows(): Promise<{ conversations: number; messages: number }> {
  const { rows } = await sql<{ conversations: number; messages: number }>`
    select (select count(*)::int from conversations) as conversations, (select count(*)::int from messages) as messages`.execute(
    harness.db,
  )
  return rows[0] ?? { conversations: 0, messages: 0 }
}

describe('POST /api/conversations', () => {
  it('MSG-07 MSG-11 creates a conversation with its first message', async () => {
    const { status, body } = await open('  Is it still there?  ')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      listing_id: listingId,
      listing_title: 'A brass lamp',
      other_user_name: 'Olive',
      other_user_picture: 'https://pictures.example/Olive.jpg',
      last_message: 'Is it still there?',
      last_message_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      unread_count: 0,
    })
  })

  it('MSG-07 adds to the existing conversation without a request to catalog', async () => {
    const first = await open()
    await reply(first.body.id, 'It is.', seller)
    const { catalog } = harness.calls
    const second = await open('How big is it?')
    expect(second.body).toMatchObject({ id: first.body.id, last_message: 'How big is it?', unread_count: 1 })
    expect(harness.calls.catalog).toBe(catalog)
  })

  it('MSG-07 creates one conversation with all messages from 20 concurrent first messages to two instances', async () => {
    const other = harness.createInstance()
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
    const responses = await Promise.all(
      texts.map((text, index) => {
        const body = { listing_id: listingId, message_text: text }
        return harness.post<Conversation>('/api/conversations', body, buyer, index % 2 ? other : undefined)
      }),
    )
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(201))
    const ids = new Set(responses.map((response) => response.body.id))
    expect(ids.size).toBe(1)
    const [id] = ids
    const { body } = await harness.get<{ message_text: string }[]>(`/api/conversations/${id}/messages`, buyer)
    expect(new Set(body.map((message) => message.message_text))).toEqual(new Set(texts))
    expect(body).toHaveLength(20)
  })

  it('MSG-07 creates a conversation for each buyer and listing', async () => {
    const carol = harness.addUser('Carol')
    const ids = [
      (await open()).body.id,
      (await open('Hello', carol)).body.id,
      (await open('Hello', buyer, harness.addListing(seller))).body.id,
    ]
    expect(new Set(ids).size).toBe(3)
  })

  it('MSG-07 accepts messages about an inactive listing', async () => {
    expect((await open('Do you have another?', buyer, harness.addListing(seller, false))).status).toBe(201)
  })

  it('MSG-09 L12 rejects a message about the user’s own listing', async () => {
    const before = await countRows()
    const { status, body } = await harness.post(
      '/api/conversations',
      { listing_id: listingId, message_text: 'Hello' },
      seller,
    )
    expect([status, body.code]).toEqual([403, 'own_listing'])
    expect(await countRows()).toEqual(before)
  })

  it.each([
    ['', 'A message must not be empty'],
    [' \n\t ', 'A message must not be empty'],
    ['x'.repeat(1001), 'A message must have at most 1000 characters'],
    ['😀'.repeat(1001), 'A message must have at most 1000 characters'],
    ['a\u0000b', 'Message text must not contain NUL or broken characters'],
    ['\uD800', 'Message text must not contain NUL or broken characters'],
    [undefined, expect.any(String)],
    [{ $gt: 0 }, expect.any(String)],
  ])('MSG-09 L12 rejects the message %j', async (text, error) => {
    const before = await countRows()
    const conversation = await harness.post('/api/conversations', { listing_id: listingId, message_text: text }, buyer)
    expect([conversation.status, conversation.body.error]).toEqual([400, error])
    expect(await countRows()).toEqual(before)
  })

  it.each([`  ${'x'.repeat(1000)}  `, '😀'.repeat(1000), '<script>alert(1)</script>'])(
    'MSG-09 accepts %.30s',
    async (text) => {
      expect((await open(text)).body.last_message).toBe(text.trim())
    },
  )

  it.each(['nothing', 42, { $gt: 0 }, null])('MSG-07 responds with 400 for the listing id %j', async (id) => {
    expect((await open('Hello', buyer, id)).status).toBe(400)
  })

  it('MSG-07 responds with 404 for an unknown listing', async () => {
    expect((await open('Hello', buyer, newId())).status).toBe(404)
  })

  it('MSG-07 responds with 503 to a first message while catalog is unavailable, and accepts later messages', async () => {
    const known = await open()
    harness.unresponsive.add('catalog')
    try {
      const first = await open('Hello', harness.addUser('Dora'))
      expect(first.status).toBe(503)
      expect((await open('Still there?')).body).toMatchObject({ id: known.body.id, last_message: 'Still there?' })
    } finally {
      harness.unresponsive.delete('catalog')
    }
  })

  it('MSG-08 responds with 401 when signed out, before any other check', async () => {
    expect((await harness.post('/api/conversations', { listing_id: 'x' })).status).toBe(401)
    expect((await harness.get('/api/conversations')).status).toBe(401)
    expect((await harness.post(`/api/conversations/${newId()}/mark-read`)).status).toBe(401)
    expect((await harness.get(`/api/conversations/${newId()}/messages`)).status).toBe(401)
    expect((await harness.post('/api/messages', { conversation_id: 'x' })).status).toBe(401)
  })
})

describe('GET /api/conversations', () => {
  it('MSG-11 shows each participant the other one, the latest message first', async () => {
    const [lamp, watch] = [
      await open('About the lamp'),
      await open('About the watch', buyer, harness.addListing(seller)),
    ]
    expect((await listOf(buyer)).map((one) => one.id)).toEqual([watch.body.id, lamp.body.id])
    await reply(lamp.body.id, 'The lamp is nice', seller)
    const ofBuyer = await listOf(buyer)
    expect(ofBuyer).toMatchObject([
      { id: lamp.body.id, other_user_name: 'Olive', last_message: 'The lamp is nice', unread_count: 1 },
      { id: watch.body.id, other_user_name: 'Olive', last_message: 'About the watch', unread_count: 0 },
    ])
    expect(await listOf(seller)).toMatchObject([
      { id: lamp.body.id, other_user_name: 'Bob', last_message: 'The lamp is nice', unread_count: 1 },
      { id: watch.body.id, other_user_name: 'Bob', last_message: 'About the watch', unread_count: 1 },
    ])
    expect(await listOf(harness.addUser('Xavier'))).toEqual([])
  })

  it('M7 returns only the documented fields, without email address or id of the other participant', async () => {
    await open()
    const [conversation] = await listOf(seller)
    expect(Object.keys(conversation ?? {}).toSorted()).toEqual([
      'id',
      'last_message',
      'last_message_time',
      'listing_id',
      'listing_title',
      'other_user_name',
      'other_user_picture',
      'unread_count',
    ])
  })

  it('MSG-11 returns null for name and picture while users is unavailable, and caches them afterwards', async () => {
    const fresh = harness.createInstance()
    await open()
    harness.unresponsive.add('users')
    try {
      const nameless = await harness.get<Conversation[]>('/api/conversations', buyer, fresh)
      expect(nameless.body).toMatchObject([{ other_user_name: null, other_user_picture: null }])
      expect((await listOf(buyer))[0]?.other_user_name).toBe('Olive')
    } finally {
      harness.unresponsive.delete('users')
    }
    const named = await harness.get<Conversation[]>('/api/conversations', buyer, fresh)
    expect(named.body).toMatchObject([{ other_user_name: 'Olive' }])
    const { users } = harness.calls
    await harness.get('/api/conversations', buyer, fresh)
    expect(harness.calls.users).toBe(users)
  })

  it('MSG-11 returns null for a user without a picture', async () => {
    harness.profiles.set(seller.userId, { userId: seller.userId, name: 'Olive', picture: '' })
    expect((await open()).body).toMatchObject({ other_user_name: 'Olive', other_user_picture: null })
  })
})

describe('POST /api/conversations/{id}/mark-read', () => {
  const markRead = (id: string, as: TestUser) =>
    harness.post<{ unread_count: number }>(`/api/conversations/${id}/mark-read`, undefined, as)
  const unreadOf = async (as: TestUser) => (await listOf(as)).map((one) => one.unread_count)

  it('MSG-08 B4 marks the other participant’s messages as read, and keeps that participant’s count', async () => {
    const { id } = (await open()).body
    await open('Hello?')
    await reply(id, 'Yes?', seller)
    expect([await unreadOf(seller), await unreadOf(buyer)]).toEqual([[2], [1]])
    expect(await markRead(id, buyer)).toEqual({ status: 200, body: { unread_count: 0 } })
    expect([await unreadOf(seller), await unreadOf(buyer)]).toEqual([[2], [0]])
    expect((await markRead(id, buyer)).status).toBe(200)
    await markRead(id, seller)
    expect([await unreadOf(seller), await unreadOf(buyer)]).toEqual([[0], [0]])
  })

  it('MSG-08 responds with 404 to an outsider or for an unknown id, and changes nothing', async () => {
    const { id } = (await open()).body
    for (const unknown of [id, newId(), 'x']) {
      expect((await markRead(unknown, harness.addUser('Xavier'))).status).toBe(404)
    }
    expect(await unreadOf(seller)).toEqual([1])
  })
})
