import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from './testing/harness.ts'

interface ErrorBody {
  error: string
  code: string
  details?: { path: string; message: string }[]
}

const json = { 'content-type': 'application/json' }
const nul = 'a\u0000'

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
  const first = { listing_id: listingId, message_text: 'Hello' }
  conversationId = (await harness.post<{ id: string }>('/api/conversations', first, buyer)).body.id
})

async function rows(): Promise<unknown> {
  const counted = await sql`select (select count(*) from conversations) as conversations,
    (select count(*) from messages) as messages, (select count(*) from messages where read_at is null) as unread,
    (select count(*) from idempotency_keys) as keys`.execute(harness.db)
  return counted.rows
}

const post = (url: string, body?: object | string, headers: Record<string, string> = json) =>
  harness.request<ErrorBody>('POST', url, { as: buyer, body, headers })

const writes = ['/api/conversations', '/api/messages']

describe('a signed-out request', () => {
  it.each([
    ['GET', '/api/conversations'],
    ['POST', '/api/conversations'],
    ['GET', `/api/conversations/${newId()}`],
    ['GET', `/api/conversations/${newId()}/messages`],
    ['POST', `/api/conversations/${newId()}/mark-read`],
    ['POST', '/api/messages'],
  ] as const)('ROLE-01 MSG-08 gets 401 for %s %s, whatever the request', async (method, url) => {
    const before = await rows()
    const huge = { body: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } }
    for (const options of [{}, method === 'POST' ? huge : {}]) {
      const { status, body } = await harness.request(method, url, options)
      expect([status, body]).toEqual([401, { error: 'Please sign in.', code: 'unauthenticated' }])
    }
    expect(await rows()).toEqual(before)
  })

  it('gets 401 with an invalid token', async () => {
    for (const authorization of ['Bearer x', 'Bearer ', 'Basic YTpi', 'Bearer eyJhbGciOiJub25lIn0.e30.AA']) {
      expect((await harness.request('GET', '/api/conversations', { headers: { authorization } })).status).toBe(401)
    }
  })
})

describe.each(writes)('POST %s', (url) => {
  it.each([
    ['no body', '', 400],
    ['broken JSON', '{"message_text":', 400],
    ['null', 'null', 400],
    ['a string', '"Hello"', 400],
    ['a list', '[]', 400],
    ['a prototype pollution', '{"__proto__":{"x":1}}', 400],
    ['a prototype pollution by constructor', '{"constructor":{"prototype":{"x":1}}}', 400],
    ['10 MB', JSON.stringify({ message_text: 'x'.repeat(10_000_000) }), 413],
    ['just above 64 KiB', JSON.stringify({ message_text: 'x'.repeat(64 * 1024) }), 413],
    ['100,000 brackets', '['.repeat(30_000) + ']'.repeat(30_000), 400],
  ])('rejects %s and changes nothing', async (_what, body, status) => {
    const before = await rows()
    expect((await post(url, body)).status).toBe(status)
    expect(await rows()).toEqual(before)
    expect({}).not.toHaveProperty('x')
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx'])(
    'C5 C6 responds with 415 for %s',
    async (type) => {
      const body = JSON.stringify({ listing_id: listingId, conversation_id: conversationId, message_text: 'Hello' })
      const before = await rows()
      expect((await post(url, body, { 'content-type': type })).status).toBe(415)
      expect(await rows()).toEqual(before)
    },
  )

  it('names a duplicate field', async () => {
    const { status, body } = await post(url, '{"message_text":"a","message_text":"b"}')
    expect([status, body.details?.[0]?.path]).toEqual([400, 'message_text'])
  })

  const id = url === '/api/messages' ? 'conversation_id' : 'listing_id'
  it.each([
    [{}, [id, 'message_text']],
    [{ message_text: 'Hello' }, [id]],
    [{ [id]: 'x', message_text: 'Hello' }, [id]],
    [{ [id]: 1, message_text: 'Hello' }, [id]],
    [{ [id]: -1e308, message_text: 'Hello' }, [id]],
    [{ [id]: [newId()], message_text: 'Hello' }, [id]],
    [{ [id]: { $gt: 0 }, message_text: 'Hello' }, [id]],
    [{ [id]: '00000000-0000-4000-8000-000000000000', message_text: 'Hello' }, [id]],
    [{ [id]: `${newId()}\u0000`, message_text: 'Hello' }, [id]],
    [{ [id]: ` ${newId()}`, message_text: 'Hello' }, [id]],
    [{ [id]: newId() }, ['message_text']],
    [{ [id]: newId(), message_text: null }, ['message_text']],
    [{ [id]: newId(), message_text: 7 }, ['message_text']],
    [{ [id]: newId(), message_text: ['Hello'] }, ['message_text']],
    [{ [id]: newId(), message_text: ' \u2003\ufeff\n' }, ['message_text']],
    [{ [id]: newId(), message_text: 'x'.repeat(1001) }, ['message_text']],
    [{ [id]: newId(), message_text: nul }, ['message_text']],
    [{ [id]: newId(), message_text: '\udc00' }, ['message_text']],
    [{ [id]: 'x', message_text: '' }, [id, 'message_text']],
  ])('MSG-09 M8 rejects %.90j and names the invalid fields', async (body, paths) => {
    const before = await rows()
    const rejection = await post(url, body)
    expect([rejection.status, rejection.body.details?.map(({ path }) => path)]).toEqual([400, paths])
    expect(rejection.body.error).not.toBe('')
    expect(await rows()).toEqual(before)
  })
})

describe('an id in the path', () => {
  it.each([
    'x',
    '1',
    '-1',
    'null',
    '%00',
    '%F0%9F%98%80',
    '..%2f..',
    "'%20or%201=1",
    'x'.repeat(190),
    'x'.repeat(5000),
  ])('gets 404 when it is %.20s', async (id) => {
    const before = await rows()
    expect((await harness.request('GET', `/api/conversations/${id}/messages`, { as: buyer })).status).toBe(404)
    expect((await post(`/api/conversations/${id}/mark-read`)).status).toBe(404)
    expect(await rows()).toEqual(before)
  })

  it('gets 400 when it cannot be decoded', async () => {
    const { status, body } = await harness.request<ErrorBody>('GET', '/api/conversations/%ff/messages', { as: buyer })
    expect([status, body.code]).toEqual([400, 'malformed'])
  })

  it('MSG-08 is accepted in upper case', async () => {
    const messages = await harness.get(`/api/conversations/${conversationId.toUpperCase()}/messages`, buyer)
    expect(messages.status).toBe(200)
  })
})

it.each([
  'e\u0301 and \u00e9', // both Unicode forms are kept
  '\u202eevil\u202c',
  'a\r\nSet-Cookie: x=1',
  '{"level":"fatal"}\n\u001b[31m',
  '</script><script>alert(1)</script>',
  "'; drop table messages; --",
  '${7*7} {{7*7}} %s %n',
])('MSG-12 S6 stores %j as text without changes', async (text) => {
  const sent = await harness.post<{ message_text: string }>(
    '/api/messages',
    { conversation_id: conversationId, message_text: text },
    buyer,
  )
  expect([sent.status, sent.body.message_text]).toEqual([201, text])
  const { body } = await harness.get<{ message_text: string }[]>(
    `/api/conversations/${conversationId}/messages`,
    seller,
  )
  expect(body.at(-1)?.message_text).toBe(text)
})
