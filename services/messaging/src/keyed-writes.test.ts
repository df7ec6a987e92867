import type { TestUser } from '@marketplace/testing/keys.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStage, type Stage } from './testing/stage.ts'

interface Answer {
  id: string
  code: string
  message_text: string
}

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

const keyed = (url: string, body: object | undefined, key: string, more: Parameters<Stage['ask']>[2] = {}) =>
  stage.ask<Answer>('POST', url, { as: buyer, body, headers: { 'idempotency-key': key }, ...more })
const openWith = (key: string, text = 'Hello', more: Parameters<Stage['ask']>[2] = {}) =>
  keyed('/api/conversations', { listing_id: listingId, message_text: text }, key, more)

async function countMessages(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from messages join conversations on conversations.id = conversation_id
    where listing_id = ${listingId}`.execute(stage.db)
  return rows[0]?.count ?? 0
}

describe('POST /api/conversations with an Idempotency-Key', () => {
  // Red when `answerOnce` runs a keyed write as a plain transaction: twenty messages.
  it('MSG-07 writes one first message of twenty at once, in two processes', async () => {
    const other = stage.start()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => openWith('k', 'Hello', { at: index % 2 ? other : undefined })),
    )
    const first = await openWith('k')
    expect(first.status).toBe(201)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(answers.filter(({ status }) => status === 201)).toEqual(Array(20 - refused.length).fill(first))
    expect(refused.filter(({ body }) => body.code !== 'idempotency_in_progress')).toEqual([])
    expect(await countMessages()).toBe(1)
  })

  it('MSG-07 answers again after a restart, without catalog and after more was written', async () => {
    const first = await openWith('k')
    await stage.post('/api/messages', { conversation_id: first.body.id, message_text: 'More' }, buyer)
    stage.silent.add('catalog')
    try {
      expect(await openWith('k', 'Hello', { at: stage.start() })).toEqual(first)
    } finally {
      stage.silent.delete('catalog')
    }
    expect(await countMessages()).toBe(2)
  })

  it('MSG-07 forgets that catalog did not answer, and remembers a refusal', async () => {
    stage.silent.add('catalog')
    try {
      expect((await openWith('k')).status).toBe(503)
    } finally {
      stage.silent.delete('catalog')
    }
    expect((await openWith('k')).status).toBe(201)
    const own = { as: seller }
    const refusal = await openWith('own', 'Hello', own)
    expect([refusal.status, refusal.body.code]).toEqual([403, 'own_listing'])
    expect(await openWith('own', 'Hello', own)).toEqual(refusal)
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

  it('MSG-08 gives a refusal again, and no one else the answer', async () => {
    const { id } = (await openWith('open')).body
    const body = { conversation_id: id, message_text: 'Hello' }
    await keyed('/api/messages', body, 'k')
    const outsider = await keyed('/api/messages', body, 'k', { as: stage.person('Xavier') })
    expect(outsider.status).toBe(404)
    expect((await keyed('/api/messages', body, 'k', { as: undefined })).status).toBe(401)
  })
})

describe('POST /api/conversations/{id}/mark-read with an Idempotency-Key', () => {
  it('MSG-08 marks what is there at the first time, and nothing that came later', async () => {
    const { id } = (await openWith('open')).body
    const write = () => stage.post('/api/messages', { conversation_id: id, message_text: 'Yes?' }, seller)
    const unread = async () =>
      (await stage.get<{ unread_count: number }[]>('/api/conversations', buyer)).body.map((one) => one.unread_count)
    const markRead = () => keyed(`/api/conversations/${id}/mark-read`, undefined, 'k')
    await write()
    expect(await markRead()).toEqual({ status: 200, body: { unread_count: 0 } })
    await write()
    expect(await markRead()).toEqual({ status: 200, body: { unread_count: 0 } })
    expect(await unread()).toEqual([1])
    expect((await keyed(`/api/conversations/${newId()}/mark-read`, undefined, 'k')).status).toBe(422)
  })
})

it.each(['', 'x'.repeat(256), 'schlüssel'])('is 400 for the Idempotency-Key %.10j, and stores nothing', async (key) => {
  const { status, body } = await openWith(key)
  expect([status, body]).toMatchObject([400, { details: [{ path: 'Idempotency-Key' }] }])
  expect(await countMessages()).toBe(0)
})
