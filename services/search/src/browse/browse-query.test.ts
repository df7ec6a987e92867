import { newId } from '@marketplace/kit/values/ids.ts'
import { describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

function cursorOf(position: object): string {
  return `cursor=${Buffer.from(JSON.stringify(position)).toString('base64url')}`
}

describe('the query string of GET /api/listings', () => {
  it.each([
    ['condition=mint', 'condition'],
    ['condition=NEW', 'condition'],
    ['condition[]=new', 'condition'],
    ['condition=new&condition=good', 'condition'],
    ['minPrice=abc', 'minPrice'],
    ['minPrice=%20', 'minPrice'],
    ['minPrice=1%00', 'minPrice'],
    ['minPrice=1,5', 'minPrice'],
    ['minPrice=Infinity', 'minPrice'],
    ['minPrice=0x10', 'minPrice'],
    ['minPrice=10000000', 'minPrice'],
    ['minPrice=1&minPrice=2', 'minPrice'],
    ['minPrice[]=1', 'minPrice'],
    ['maxPrice[$gt]=', 'maxPrice'],
    ['maxPrice=1&maxPrice=1', 'maxPrice'],
    ['minPrice=-1', 'minPrice'],
    ['minPrice=1e3', 'minPrice'],
    ['maxPrice=1.001', 'maxPrice'],
    ['maxPrice=99999999999999999999', 'maxPrice'],
    ['maxPrice=NaN', 'maxPrice'],
    ['sort=price%3Bdrop', 'sort'],
    ['sort=Newest', 'sort'],
    ['sort[]=newest', 'sort'],
    ['sort=newest&sort=newest', 'sort'],
    ['sort=constructor', 'sort'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=x', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1e9', 'limit'],
    ['limit=99999999999999999999999', 'limit'],
    ['limit=NaN', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit[]=1', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=%201', 'limit'],
    ['category=(select%201)', 'category'],
    ['category=home-decor%00', 'category'],
    ['category=a&category=b', 'category'],
    ['category[]=a', 'category'],
    [`category=${'x'.repeat(101)}`, 'category'],
    ['search=a%00b', 'search'],
    ['search[]=a&search[$ne]=', 'search'],
    ['search[$ne]=', 'search'],
    ['search=a&search=b', 'search'],
    [`search=${'lamp '.repeat(10_000)}`, 'search'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['cursor=x', 'cursor'],
    ['cursor=e30', 'cursor'],
    ['cursor[]=e30', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    [`cursor=${'x'.repeat(1001)}`, 'cursor'],
    [cursorOf({ in: 'newest', at: 'x', id: newId() }), 'cursor'],
    [cursorOf({ in: 'newest', at: '2026-01-01T00:00:00Z', id: "' or true" }), 'cursor'],
    [cursorOf({ in: 'newest', at: '0000-01-01T00:00:00Z', id: newId() }), 'cursor'],
    [cursorOf({ in: 'newest', at: `2026-01-01T00:00:00.${'0'.repeat(200)}Z`, id: newId() }), 'cursor'],
    [cursorOf({ in: 'cheapest', cents: 1e12, id: newId() }), 'cursor'],
    [cursorOf({ in: 'relevant', rank: 1, id: newId() }), 'cursor'],
  ])('M8, S3 rejects ?%s with 400', async (query, field) => {
    const { status, body } = await harness.browse(`/api/listings?${query}`)
    expect(body.error).not.toMatch(/select|node_modules|at \//)
    expect([status, new Set(body.details?.map(({ path }) => path))]).toEqual([400, new Set([field])])
  })

  it.each([
    'search=%ff',
    'search=%',
    'search=%ED%A0%80',
    'category=%ff',
    'minPrice=%ff',
    'cursor=%ff',
    '%ff=%ff',
    '&&=&',
  ])('S15 causes no server error for ?%s', async (query) => {
    expect((await harness.browse(`/api/listings?${query}`)).status).toBeLessThan(500)
  })

  it('ignores unknown parameters', async () => {
    const id = await harness.createListing()
    expect((await harness.browse('/api/listings?order=drop&__proto__=x&constructor[prototype]=y')).ids).toEqual([id])
  })

  it('rejects a cursor that belongs to another order', async () => {
    await harness.createListing()
    await harness.createListing()
    const { link } = await harness.browse({ limit: '1' })
    const cursor = new URL(String(link).slice(1).split('>')[0] ?? '', 'http://x').searchParams.get('cursor') ?? ''
    expect((await harness.browse({ cursor })).status).toBe(200)
    expect((await harness.browse({ cursor, sort: 'price-asc' })).status).toBe(400)
  })
})
