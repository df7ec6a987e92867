import type { Service } from '@marketplace/kit/app/service.ts'
import { maxPageBytes, writeCursor } from '@marketplace/kit/http/paging.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../testing/calls.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { insertPastSales } from '../../testing/past-sales.ts'
import { listSalesQuery } from './transactions.repo.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())

const other = { buyerId: newId(), sellerId: newId() }

async function readPage(user: TestUser, url: string) {
  const headers = await harness.keys.authorization(user)
  const response = await service.publicApp.inject({ method: 'GET', url, headers })
  const rows = response.json<{ id: string; listing_id: string; user_role: string }[]>()
  const next = /^<(.+)>; rel="next"$/.exec(String(response.headers['link'] ?? ''))?.[1]
  return { rows, next, bytes: Buffer.byteLength(response.body) }
}

async function readAll(user: TestUser, url: string): Promise<string[]> {
  const { rows, next } = await readPage(user, url)
  const ids = rows.map(({ id }) => id)
  return next === undefined ? ids : [...ids, ...(await readAll(user, next))]
}

async function insertBothRoles(user: TestUser): Promise<string[]> {
  const paid = { state: 'paid', type: 'buy_now', count: 60 } as const
  const bought = await insertPastSales(harness, { ...other, ...paid, buyerId: user.userId })
  const sold = await insertPastSales(harness, { ...other, ...paid, sellerId: user.userId })
  return [...bought, ...sold]
}

describe('pages of transactions', () => {
  it('have 50 rows by default and lead through all sales of both roles once, newest first', async () => {
    const alice = randomUser('Alice')
    const ids = await insertBothRoles(alice)
    await insertPastSales(harness, { ...other, count: 5, state: 'paid', type: 'buy_now' })
    const { rows, next } = await readPage(alice, '/api/transactions')
    expect(rows).toHaveLength(50)
    expect(next).toMatch(/^\/api\/transactions\?cursor=[\w-]+$/)
    const newest = await sql<{ id: string }>`
      select id from transactions where ${alice.userId} in (buyer_id, seller_id) order by created_at desc, id desc`.execute(
      harness.db,
    )
    const expected = newest.rows.map(({ id }) => id)
    expect(expected).toHaveLength(ids.length)
    expect(await readAll(alice, '/api/transactions')).toEqual(expected)
    expect(await readAll(alice, '/api/transactions?limit=7')).toEqual(expected)
    expect((await readPage(alice, '/api/transactions?limit=100')).rows).toHaveLength(100)
  })

  it('have no link when they contain the last sale', async () => {
    const alice = randomUser('Alice')
    await insertPastSales(harness, { ...other, buyerId: alice.userId, count: 50, state: 'paid', type: 'buy_now' })
    const { rows, next } = await readPage(alice, '/api/transactions')
    expect([rows.length, next]).toEqual([50, undefined])
  })

  it('contain the sales of one listing when asked for, of the caller only', async () => {
    const [alice, eve] = [randomUser('Alice'), randomUser('Eve')]
    const [id = ''] = await insertBothRoles(alice)
    const { listing_id } = await harness.db
      .selectFrom('transactions')
      .select('listing_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(await readAll(alice, `/api/transactions?listing_id=${listing_id}`)).toEqual([id])
    expect(await readAll(eve, `/api/transactions?listing_id=${listing_id}`)).toEqual([])
    expect(await readAll(alice, `/api/transactions?listing_id=${newId()}`)).toEqual([])
  })

  it('stay below 1 MiB with 100 titles of 200 emoji', async () => {
    const alice = randomUser('Alice')
    const sales = { ...other, buyerId: alice.userId, count: 101, state: 'paid', type: 'buy_now' } as const
    await insertPastSales(harness, sales)
    await harness.db
      .updateTable('transactions')
      .set({ listing_title: '😀'.repeat(200), listing_image_url: `https://pictures.example/${'a'.repeat(2023)}` })
      .where('buyer_id', '=', alice.userId)
      .execute()
    const { rows, bytes } = await readPage(alice, '/api/transactions?limit=100')
    expect(rows).toHaveLength(100)
    expect(bytes).toBeLessThanOrEqual(maxPageBytes)
  })

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=x'],
    ['listing_id', 'listing_id=x'],
    ['cursor', 'cursor=x'],
    ['cursor', `cursor=${writeCursor({ at: '2026-01-01T00:00:00Z' })}`],
    ['cursor', `cursor=${writeCursor({ at: '0000-01-01T00:00:00Z', id: newId() })}`],
    ['cursor', `cursor=${writeCursor({ at: `2026-01-01T00:00:00.${'0'.repeat(200)}Z`, id: newId() })}`],
  ])('are rejected with the field %s for ?%s', async (field, query) => {
    const response = await call<object>(harness, service, randomUser('Alice'), ['GET', `/api/transactions?${query}`])
    expect(response).toMatchObject({ status: 400, body: { details: [{ path: field }] } })
  })

  it('are read from the index of each role, never past abandoned checkouts', async () => {
    const alice = randomUser('Alice')
    await insertPastSales(harness, {
      ...other,
      buyerId: alice.userId,
      count: 5000,
      state: 'released',
      type: 'buy_now',
    })
    await insertBothRoles(alice)
    await sql`analyze transactions`.execute(harness.db)
    const query = { userId: alice.userId, listingId: null, after: null, limit: 51 }
    const plan = await sql<{ 'QUERY PLAN': string }>`explain ${listSalesQuery(query)}`.execute(harness.db)
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/transactions_listed_by_buyer/)
    expect(text).toMatch(/transactions_listed_by_seller/)
    expect(text).not.toMatch(/Seq Scan/)
  })
})
