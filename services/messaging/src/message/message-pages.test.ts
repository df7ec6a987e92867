import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { insertMessages } from '../testing/rows.ts'

let harness: Harness
let seller: TestUser
let buyer: TestUser
let conversationId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  seller = harness.addUser('Olive')
  buyer = harness.addUser('Bob')
  const message = { listing_id: harness.addListing(seller), message_text: 'm0' }
  conversationId = (await harness.post<{ id: string }>('/api/conversations', message, buyer)).body.id
})

const read = (query = '', as = buyer) => readPage(`/api/conversations/${conversationId}/messages${query}`, as)

async function readPage(url: string, as = buyer) {
  const { status, body, next } = await harness.get<{ message_text: string }[]>(url, as)
  return { status, texts: body.map((message) => message.message_text), next }
}

async function readAll(url: string): Promise<string[]> {
  const { texts, next } = await readPage(url)
  return next === undefined ? texts : [...(await readAll(next)), ...texts]
}

/** Texts of the messages with the numbers from `first` to `last`. */
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `m${first + index}`)

describe('the pages of GET /api/conversations/{id}/messages', () => {
  it('R12 MSG-15 have the newest 50 of 40,000 messages by default, oldest first, and lead to older ones', async () => {
    await insertMessages(harness.db, conversationId, buyer, 40_000)
    const newest = await read()
    expect(newest.texts).toEqual(range(39_951, 40_000))
    const older = await readPage(newest.next ?? '')
    expect(older.texts).toEqual(range(39_901, 39_950))
    const largest = await read('?limit=100')
    expect(largest.texts).toEqual(range(39_901, 40_000))
    expect((await readPage(largest.next ?? '')).texts).toEqual(range(39_801, 39_900))
  })

  it('MSG-15 contain every message once, and a message that arrives later moves no page', async () => {
    await insertMessages(harness.db, conversationId, seller, 23)
    const first = await read('?limit=5')
    await insertMessages(harness.db, conversationId, seller, 2)
    expect([...(await readAll(first.next ?? '')), ...first.texts]).toEqual(range(0, 23))
    expect((await read('', seller)).next).toBeUndefined()
  })

  it('R12 MSG-15 have at most 620 kB: 100 messages of 1,000 characters, each 6 bytes in JSON', async () => {
    const message = { conversation_id: conversationId, message_text: '\u0001'.repeat(1000) }
    const sent = await Promise.all(Array.from({ length: 100 }, () => harness.post('/api/messages', message, buyer)))
    expect(sent.map(({ status }) => status)).toEqual(Array(100).fill(201))
    const url = `/api/conversations/${conversationId}/messages?limit=100`
    const { body } = await harness.get<{ message_text: string }[]>(url, buyer)
    expect(body.map((one) => one.message_text)).toEqual(Array(100).fill(message.message_text))
    const bytes = Buffer.byteLength(JSON.stringify(body))
    expect(bytes).toBeGreaterThan(600_000)
    expect(bytes).toBeLessThan(620_000)
  })

  it.each([
    'limit=0',
    'limit=101',
    'cursor=x',
    `cursor=${cursorOf(-1)}`,
    `cursor=${cursorOf({ lastAt: 'x', id: newId() })}`,
  ])('MSG-15 do not exist for %.60s', async (query) => {
    const { status } = await harness.get(`/api/conversations/${conversationId}/messages?${query}`, buyer)
    expect(status).toBe(400)
  })
})

function cursorOf(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}
