import { Readable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})

afterAll(() => harness.stop())

const listings = JSON.stringify(Array.from({ length: 200 }, (_, number) => ({ id: number, title: `Lamp ${number}` })))
const compressed = brotliCompressSync(listings)

const acceptEncoding = 'br;q=1, zstd;q=0'
const readListings = () =>
  harness.gateway.publicApp.inject({
    url: '/api/listings',
    headers: { host: 'localhost', 'accept-encoding': acceptEncoding },
  })

describe('a compressed response', () => {
  it.each([
    ['with a length', () => compressed],
    ['in chunks', () => Readable.from([compressed.subarray(0, 100), compressed.subarray(100)])],
  ])('passes unchanged %s, and the service gets the client’s Accept-Encoding', async (_, body) => {
    harness.upstreams.search.received.length = 0
    harness.upstreams.search.respond = (_request, reply) =>
      reply
        .headers({ 'content-type': 'application/json', 'content-encoding': 'br', vary: 'accept-encoding' })
        .send(body())
    const response = await readListings()

    expect(harness.upstreams.search.received[0]?.headers['accept-encoding']).toBe(acceptEncoding)
    expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(response.rawPayload.equals(compressed)).toBe(true)
    expect(brotliDecompressSync(response.rawPayload).toString()).toBe(listings)
  })
})
