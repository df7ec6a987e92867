import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from './testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
  for (const title of ['A lantern', 'A red bicycle', 'A bike']) await harness.createListing({ title })
})
afterAll(() => harness.close())

describe('the connections of requests', () => {
  // A request that needed a second connection would wait for the other requests, and these for it.
  it('R15 suffice for concurrent requests of every kind, with empty caches', async () => {
    const paths = [
      '/api/listings?search=bike',
      '/api/listings?search=lantren',
      '/api/listings?location=Portland&search=red+bike',
      '/api/listings/facets?search=lantren',
      '/api/search/recovery?search=bike+qwertz&condition=new&format=auction',
    ]
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => harness.request('GET', paths[n % paths.length] ?? '')),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200))
  })
})
