import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { createHarness, type Harness } from '../testing/harness.ts'
import { insertConversations, insertMessages } from '../testing/rows.ts'
import type { ConversationView } from './conversation.view.ts'

type Conversation = z.output<typeof ConversationView>

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

const list = (as: TestUser, url = '/api/conversations') => harness.get<Conversation[]>(url, as)

async function listAll(as: TestUser, url: string): Promise<string[]> {
  const { body, next } = await list(as, url)
  const ids = body.map(({ id }) => id)
  return next === undefined ? ids : [...ids, ...(await listAll(as, next))]
}

async function open(): Promise<string> {
  const message = { listing_id: harness.addListing(seller), message_text: 'Hello' }
  return (await harness.post<Conversation>('/api/conversations', message, buyer)).body.id
}

describe('the pages of GET /api/conversations', () => {
  it('MSG-15 have 50 rows by default and at most 100', async () => {
    const ids = await insertConversations(harness.db, buyer, seller, 151)
    const first = await list(buyer)
    expect(first.body.map(({ id }) => id)).toEqual(ids.slice(0, 50))
    const largest = await list(buyer, '/api/conversations?limit=100')
    expect(largest.body.map(({ id }) => id)).toEqual(ids.slice(0, 100))
    const last = await list(buyer, largest.next)
    expect([last.body.map(({ id }) => id), last.next]).toEqual([ids.slice(100), undefined])
  })

  it('MSG-15 contain every conversation once, latest message first, as buyer and as seller', async () => {
    const asBuyer = await insertConversations(harness.db, buyer, seller, 23)
    const other = harness.addUser('Carol')
    const asSeller = await insertConversations(harness.db, other, buyer, 12)
    const all = await listAll(buyer, '/api/conversations?limit=100')
    expect(new Set(all)).toEqual(new Set([...asBuyer, ...asSeller]))
    expect(await listAll(buyer, '/api/conversations?limit=3')).toEqual(all)
    expect(await listAll(seller, '/api/conversations?limit=5')).toEqual(asBuyer)
    expect(await listAll(other, '/api/conversations?limit=5')).toEqual(asSeller)
  })

  it('MSG-15 start with a conversation once it gets a message, also from an earlier version of the service', async () => {
    const ids = [await open(), await open(), await open()]
    expect((await list(buyer)).body.map(({ id }) => id)).toEqual(ids.toReversed())
    await insertMessages(harness.db, ids[0] ?? '', seller, 2)
    expect((await list(seller)).body.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]])
  })

  it('MSG-15 include the conversations of before the migration in order', async () => {
    const ids = await insertConversations(harness.db, buyer, seller, 12)
    await sql`update conversations set last_at = null where buyer_id = ${buyer.userId}`.execute(harness.db)
    const file = join(import.meta.dirname, '../../migrations/0003_last_message_times_of_old_rows.sql')
    await sql.raw(await readFile(file, 'utf8')).execute(harness.db)
    expect(await listAll(buyer, '/api/conversations')).toEqual(ids)
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1&limit=2',
    'cursor=x',
    'cursor=e30',
    `cursor=${cursorOf(1)}`,
    `cursor=${cursorOf({ lastAt: '0000-01-01T00:00:00Z', id: newId() })}`,
    `cursor=${cursorOf({ lastAt: `2026-01-01T00:00:00.${'0'.repeat(200)}Z`, id: newId() })}`,
    `cursor=${cursorOf({ lastAt: '2026-01-01T00:00:00Z', id: 'x' })}`,
    `cursor=${'x'.repeat(1001)}`,
  ])('MSG-15 do not exist for %.60s', async (query) => {
    const { status, body } = await harness.get<{ details: { path: string }[] }>(`/api/conversations?${query}`, buyer)
    expect([status, body.details[0]?.path]).toEqual([400, query.split('=')[0]])
  })
})

function cursorOf(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

describe('GET /api/conversations/{id}', () => {
  it('MSG-16 returns the conversation as the list shows it, to both participants', async () => {
    const id = await open()
    for (const as of [buyer, seller]) {
      const [listed] = (await list(as)).body
      expect(await harness.get(`/api/conversations/${id}`, as)).toEqual({ status: 200, body: listed })
    }
  })

  it('MSG-08 MSG-16 responds with 404 to an outsider or for an unknown id, and with 401 when signed out', async () => {
    const id = await open()
    expect((await harness.get(`/api/conversations/${id}`, harness.addUser('Xavier'))).status).toBe(404)
    expect((await harness.get(`/api/conversations/${newId()}`, buyer)).status).toBe(404)
    expect((await harness.get('/api/conversations/x', buyer)).status).toBe(404)
    expect((await harness.get(`/api/conversations/${id}`)).status).toBe(401)
  })
})

describe('the number of unread messages', () => {
  it('R12 MSG-08 is exact up to 1,000 and stays 1,000 with 40,000 unread messages', async () => {
    const id = await open()
    const unread = async (as: TestUser) => (await list(as)).body.map((conversation) => conversation.unread_count)
    await insertMessages(harness.db, id, seller, 999)
    expect([await unread(buyer), await unread(seller)]).toEqual([[999], [1]])
    await insertMessages(harness.db, id, seller, 39_001)
    expect([await unread(buyer), await unread(seller)]).toEqual([[1000], [1]])
    await harness.post(`/api/conversations/${id}/mark-read`, undefined, buyer)
    expect(await unread(buyer)).toEqual([0])
  })
})
