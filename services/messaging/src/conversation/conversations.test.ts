import { newId } from '@marketplace/kit/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'
import type { ConversationView } from './conversation.view.ts'
import type { z } from 'zod'

type Conversation = z.output<typeof ConversationView>

let stage: Stage
let seller: TestUser
let buyer: TestUser
let listingId: string

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())
beforeEach(() => {
  seller = stage.person('Olive')
  buyer = stage.person('Bob')
  listingId = stage.listing(seller)
})

const open = (text: unknown = 'Is it still there?', as: TestUser | undefined = buyer, listing: unknown = listingId) =>
  stage.post<Conversation>('/api/conversations', { listing_id: listing, message_text: text }, as)
const reply = (id: string, text: string, as: TestUser) =>
  stage.post('/api/messages', { conversation_id: id, message_text: text }, as)
const listOf = async (as: TestUser) => (await stage.get<Conversation[]>('/api/conversations', as)).body

async function countRows(): Promise<{ conversations: number; messages: number }> {
  const { rows } = await sql<{ conversations: number; messages: number }>`
    select (select count(*)::int from conversations) as conversations, (select count(*)::int from messages) as messages`.execute(
    stage.db,
  )
  return rows[0] ?? { conversations: 0, messages: 0 }
}

describe('POST /api/conversations', () => {
  it('MSG-07 MSG-11 opens a conversation with its first message', async () => {
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

  it('MSG-07 goes on in the same conversation, without asking catalog again', async () => {
    const first = await open()
    await reply(first.body.id, 'It is.', seller)
    const { catalog } = stage.calls
    const second = await open('How big is it?')
    expect(second.body).toMatchObject({ id: first.body.id, last_message: 'How big is it?', unread_count: 1 })
    expect(stage.calls.catalog).toBe(catalog)
  })

  it('MSG-07 makes one conversation of first messages at once, in two processes, and loses none', async () => {
    const other = stage.start()
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
    const answers = await Promise.all(
      texts.map((text, index) => {
        const body = { listing_id: listingId, message_text: text }
        return stage.post<Conversation>('/api/conversations', body, buyer, index % 2 ? other : undefined)
      }),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(201))
    const ids = new Set(answers.map((answer) => answer.body.id))
    expect(ids.size).toBe(1)
    const [id] = ids
    const { body } = await stage.get<{ message_text: string }[]>(`/api/conversations/${id}/messages`, buyer)
    expect(new Set(body.map((message) => message.message_text))).toEqual(new Set(texts))
    expect(body).toHaveLength(20)
  })

  it('MSG-07 keeps buyers and listings apart', async () => {
    const carol = stage.person('Carol')
    const ids = [
      (await open()).body.id,
      (await open('Hello', carol)).body.id,
      (await open('Hello', buyer, stage.listing(seller))).body.id,
    ]
    expect(new Set(ids).size).toBe(3)
  })

  it('MSG-07 lets buyers ask about a listing that is sold', async () => {
    expect((await open('Do you have another?', buyer, stage.listing(seller, false))).status).toBe(201)
  })

  it('MSG-09 L12 refuses to write to oneself about the own listing', async () => {
    const before = await countRows()
    const { status, body } = await stage.post(
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
  ])('MSG-09 L12 refuses the message %j', async (text, error) => {
    const before = await countRows()
    const conversation = await stage.post('/api/conversations', { listing_id: listingId, message_text: text }, buyer)
    expect([conversation.status, conversation.body.error]).toEqual([400, error])
    expect(await countRows()).toEqual(before)
  })

  it.each([`  ${'x'.repeat(1000)}  `, '😀'.repeat(1000), '<script>alert(1)</script>'])(
    'MSG-09 takes %.30s',
    async (text) => {
      expect((await open(text)).body.last_message).toBe(text.trim())
    },
  )

  it.each(['nothing', 42, { $gt: 0 }, null])('MSG-07 is 400 for the listing id %j', async (id) => {
    expect((await open('Hello', buyer, id)).status).toBe(400)
  })

  it('MSG-07 is 404 for a listing that nobody knows', async () => {
    expect((await open('Hello', buyer, newId())).status).toBe(404)
  })

  it('MSG-07 is 503 without catalog for a first message, and goes on without it later', async () => {
    const known = await open()
    stage.silent.add('catalog')
    try {
      const first = await open('Hello', stage.person('Dora'))
      expect(first.status).toBe(503)
      expect((await open('Still there?')).body).toMatchObject({ id: known.body.id, last_message: 'Still there?' })
    } finally {
      stage.silent.delete('catalog')
    }
  })

  it('MSG-08 is 401 signed out, before anything is judged', async () => {
    expect((await stage.post('/api/conversations', { listing_id: 'x' })).status).toBe(401)
    expect((await stage.get('/api/conversations')).status).toBe(401)
    expect((await stage.post(`/api/conversations/${newId()}/mark-read`)).status).toBe(401)
    expect((await stage.get(`/api/conversations/${newId()}/messages`)).status).toBe(401)
    expect((await stage.post('/api/messages', { conversation_id: 'x' })).status).toBe(401)
  })
})

describe('GET /api/conversations', () => {
  it('MSG-11 shows each side the other, the latest message first', async () => {
    const [lamp, watch] = [await open('About the lamp'), await open('About the watch', buyer, stage.listing(seller))]
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
    expect(await listOf(stage.person('Xavier'))).toEqual([])
  })

  it('M7 carries nothing beyond its shape: no e-mail, no id of the other side', async () => {
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

  it('MSG-11 answers null for name and picture while users does not answer, and keeps them for a while', async () => {
    const fresh = stage.start()
    await open()
    stage.silent.add('users')
    try {
      const nameless = await stage.get<Conversation[]>('/api/conversations', buyer, fresh)
      expect(nameless.body).toMatchObject([{ other_user_name: null, other_user_picture: null }])
      expect((await listOf(buyer))[0]?.other_user_name).toBe('Olive')
    } finally {
      stage.silent.delete('users')
    }
    const named = await stage.get<Conversation[]>('/api/conversations', buyer, fresh)
    expect(named.body).toMatchObject([{ other_user_name: 'Olive' }])
    const { users } = stage.calls
    await stage.get('/api/conversations', buyer, fresh)
    expect(stage.calls.users).toBe(users)
  })

  it('MSG-11 has null for a person without a picture', async () => {
    stage.profiles.set(seller.userId, { userId: seller.userId, name: 'Olive', picture: '' })
    expect((await open()).body).toMatchObject({ other_user_name: 'Olive', other_user_picture: null })
  })
})

describe('POST /api/conversations/{id}/mark-read', () => {
  const markRead = (id: string, as: TestUser) =>
    stage.post<{ unread_count: number }>(`/api/conversations/${id}/mark-read`, undefined, as)
  const unreadOf = async (as: TestUser) => (await listOf(as)).map((one) => one.unread_count)

  it("MSG-08 B4 marks what the other side wrote, and leaves the other side's count alone", async () => {
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

  it('MSG-08 is 404 for an outsider and an unknown id, and changes nothing', async () => {
    const { id } = (await open()).body
    for (const unknown of [id, newId(), 'x']) {
      expect((await markRead(unknown, stage.person('Xavier'))).status).toBe(404)
    }
    expect(await unreadOf(seller)).toEqual([1])
  })
})
