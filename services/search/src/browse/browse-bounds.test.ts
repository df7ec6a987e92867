import { brotliDecompressSync } from 'node:zlib'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

const maxBytes = 1_048_576

let harness: Harness

// 100 listings of the largest size that catalog accepts.
beforeAll(async () => {
  harness = await createHarness()
  const urls = Array.from({ length: 12 }, (_, n) => `https://pictures.example/${n}/`.padEnd(2048, 'x'))
  await harness.query(
    `insert into listings (id, version, seller_id, title, description, category_id, category_name, category_slug,
       condition, is_auction, price_cents, shipping_cents, location, is_active, accept_offers, is_on_sale, view_count,
       image_urls, created_at, updated_at)
     select uuidv7(), 1, $1, 'A lamp', repeat('😀', 5000), 7, 'Any', 'any', 'good', false, n, 0, '', true, true, false,
       0, $2, timestamptz '2026-01-01' + n * interval '1 ms', now() from generate_series(1, 100) as n`,
    [newId(), JSON.stringify(urls)],
  )
  await harness.query(
    `insert into listing_words (listing_id, words) select id, to_tsvector('english', title) from listings`,
  )
})
afterAll(() => harness.close())

const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body))

describe('GET /api/listings with the largest listings', () => {
  it.each(['', 'limit=100', 'search=lamp', 'sort=price-asc&limit=100'])(
    'R15 HOME-19 returns at most 1 MiB and the beginning of descriptions for ?%s',
    async (query) => {
      const { status, body, link } = await harness.browse(`/api/listings?${query}`)
      expect(status).toBe(200)
      expect(body.length).toBeGreaterThan(10)
      expect(sizeOf(body)).toBeLessThanOrEqual(maxBytes)
      expect(new Set(body.map(({ description }) => description))).toEqual(new Set(['😀'.repeat(160)]))
      expect(link).toMatch(/rel="next"/)
    },
  )

  it('R15 leaves out no listing between the pages', async () => {
    const ids = (await harness.pages({ limit: '100' })).flat()
    expect([ids.length, new Set(ids).size]).toEqual([100, 100])
  })

  it('R15 responds to 60 concurrent requests', async () => {
    // On a slow machine, a request can wait too long for a database connection. Clients retry after the 503 response.
    const browse = async (limit: string) => {
      let response = await harness.browse({ limit })
      while (response.status === 503) response = await harness.browse({ limit })
      return response
    }
    const responses = await Promise.all(Array.from({ length: 60 }, (_, n) => browse(n % 2 ? '24' : '100')))
    for (const { status, body } of responses) {
      expect(status).toBe(200)
      expect(sizeOf(body)).toBeLessThanOrEqual(maxBytes)
    }
  })

  it('R15 compresses the response', async () => {
    const url = '/api/listings?limit=100'
    const plain = await harness.request('GET', url)
    const { rawPayload, headers } = await harness.request('GET', url, { headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(rawPayload).toString()).toBe(plain.body)
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 10)
  })
})
