import type { TestUser } from '@marketplace/testing/keys.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from './testing/harness.ts'

interface ConversationResponse {
  id: string
  code: string
  message_text: string
}

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

const keyed = (url: string, body: object | undefined, key: string, options: Parameters<Harness['request']>[2] = {}) =>
  harness.request<ConversationResponse>('POST', url, {
    as: buyer,
    body,
    headers: { 'idempotency-key': key },
    ...options,
  })
const openWith = (key: string, text = 'Hello', options: Parameters<Harness['request']>[2] = {}) =>
  keyed('/api/conversations', { listing_id: listingId, message_text: text }, key, options)

async function countMessages(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from messages join conversations on conversations.id = conversation_id
    where listing_id = ${listingId}`.execute(harness.db)
  return rows[0]?.count ?? 0
}

describe('POST /api/conversations with an Idempotency-Key', () => {
  // If `runIdempotent` ran a write with a key as a plain transaction, this test would find twenty messages.
  it('MSG-07 creates one message from twenty concurrent requests to two instances', async () => {
    const other = harness.createInstance()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => openWith('k', 'Hello', { at: index % 2 ? other : undefined })),
    )
    const first = await openWith('k')
    expect(first.status).toBe(201)
    const rejected = responses.filter(({ status }) => status !== 201)
    expect(responses.filter(({ status }) => status === 201)).toEqual(Array(20 - rejected.length).fill(first))
    expect(rejected.filter(({ body }) => body.code !== 'idempotency_in_progress')).toEqual([])
    expect(await countMessages()).toBe(1)
  })

  it('MSG-07 repeats the response after a restart, without catalog, and after later messages', async () => {
    const first = await openWith('k')
    await harness.post('/api/messages', { conversation_id: first.body.id, message_text: 'More' }, buyer)
    harness.unresponsive.add('catalog')
    try {
      expect(await openWith('k', 'Hello', { at: harness.createInstance() })).toEqual(first)
    } finally {
      harness.unresponsive.delete('catalog')
    }
    expect(await countMessages()).toBe(2)
  })

  it('MSG-07 stores a rejection, but not a failure of catalog', async () => {
    harness.unresponsive.add('catalog')
    try {
      expect((await openWith('k')).status).toBe(503)
    } finally {
      harness.unresponsive.delete('catalog')
    }
    expect((await openWith('k')).status).toBe(201)
    const own = { as: seller }
    const rejection = await openWith('own', 'Hello', own)
    expect([rejection.status, rejection.body.code]).toEqual([403, 'own_listing'])
    expect(await openWith('own', 'Hello', own)).toEqual(rejection)
    expect((await openWith('own', 'Another', own)).status).toBe(422)
  })
})

describe('POST /api/messages with an Idempotency-Key', () => {
  it('MSG-12 stores one message per key, text and person', async () => {
    const { id } = (await openWith('open')).body
    const send = (key: string, text: string, as = buyer) =>
      keyed('/api/messages', { conversation_id: id, message_text: text }, key, { as })
    const first = await send('1', 'Is it red?')
    expect(await send('1', '  Is it red? ')).toEqual(first)
    expect((await send('1', 'Is it blue?')).status).toBe(422)
    expect((await send('1', 'Is it red?', seller)).body.id).not.toBe(first.body.id)
    expect((await send('2', 'Is it red?')).body.id).not.toBe(first.body.id)
    expect(await countMessages()).toBe(4)
  })

  it('MSG-08 returns the stored response only to the same user', async () => {
    const { id } = (await openWith('open')).body
    const body = { conversation_id: id, message_text: 'Hello' }
    await keyed('/api/messages', body, 'k')
    const outsider = await keyed('/api/messages', body, 'k', { as: harness.addUser('Xavier') })
    expect(outsider.status).toBe(404)
    expect((await keyed('/api/messages', body, 'k', { as: undefined })).status).toBe(401)
  })
})

describe('POST /api/conversations/{id}/mark-read with an Idempotency-Key', () => {
  it('MSG-08 marks only the messages that existed at the first request', async () => {
    const { id } = (await openWith('open')).body
    const write = () => harness.post('/api/messages', { conversation_id: id, message_text: 'Yes?' }, seller)
    const unread = async () =>
      (await harness.get<{ unread_count: number }[]>('/api/conversations', buyer)).body.map((one) => one.unread_count)
    const markRead = () => keyed(`/api/conversations/${id}/mark-read`, undefined, 'k')
    await write()
    expect(await markRead()).toEqual({ status: 200, body: { unread_count: 0 } })
    await write()
    expect(await markRead()).toEqual({ status: 200, body: { unread_count: 0 } })
    expect(await unread()).toEqual([1])
    expect((await keyed(`/api/conversations/${newId()}/mark-read`, undefined, 'k')).status).toBe(422)
  })
})

it.each(['', 'x'.repeat(256), 'schlüssel'])(
  'rejects the Idempotency-Key %.10j with 400 and stores nothing',
  async (key) => {
    const { status, body } = await openWith(key)
    expect([status, body]).toMatchObject([400, { details: [{ path: 'Idempotency-Key' }] }])
    expect(await countMessages()).toBe(0)
  },
)
