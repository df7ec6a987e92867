import { newId } from '@marketplace/kit/values/ids.ts'
import { describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'
import { auctionEndingIn, makeListing, watches } from '../testing/listings.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

async function similarTo(id: string): Promise<string[]> {
  const response = await harness.request('GET', `/api/listings/${id}/similar?fields=card`)
  return response.json().map(({ title }: { title: string }) => title)
}

describe('GET /api/listings/{id}/similar', () => {
  it('SRCH-22 has the listings of the category that share most words, then its newest', async () => {
    await harness.createListing({ title: 'Brass candlestick' })
    await harness.createListing({ title: 'Vintage brass lamp' })
    await harness.createListing({ title: 'Vintage brass lamp', ...watches })
    await harness.createListing({ title: 'An ended brass lamp', ...auctionEndingIn(-60) })
    await harness.createListing({ title: 'A sold brass lamp', isActive: false })
    await harness.createListing({ title: 'A mirror' })
    const id = await harness.createListing({ title: 'Old brass lamp, vintage' })
    expect(await similarTo(id)).toEqual(['Vintage brass lamp', 'Brass candlestick', 'A mirror'])
  })

  it('SRCH-22 has at most 12, and also those of a sold listing', async () => {
    for (let n = 0; n < 15; n += 1) await harness.createListing({ title: `Lamp ${n}` })
    const id = await harness.createListing({ title: 'Sold lamp', isActive: false })
    const titles = await similarTo(id)
    expect(titles).toEqual(Array.from({ length: 12 }, (_, n) => `Lamp ${14 - n}`))
  })

  it('SRCH-22 remembers the ids, but shows current prices and no listing that was sold since', async () => {
    const lamp = makeListing({ title: 'A lamp' })
    const clock = makeListing({ title: 'A clock' })
    await harness.createListing(lamp)
    await harness.createListing(clock)
    const id = await harness.createListing({ title: 'A vase' })
    expect(await similarTo(id)).toEqual(['A clock', 'A lamp'])
    await harness.changeListing({ ...lamp, isActive: false, version: 2n })
    await harness.changeListing({ ...clock, priceCents: 4200, version: 2n })
    const { 0: shown, length } = (await harness.request('GET', `/api/listings/${id}/similar`)).json()
    expect([length, shown.price]).toEqual([1, 4200])
  })

  it.each([newId(), '1', 'zz', '%00'])('SRCH-22 is 404 for the unknown listing %s, and is asked again', async (id) => {
    expect((await harness.request('GET', `/api/listings/${id}/similar`)).statusCode).toBe(404)
  })

  it('SRCH-22 finds a listing that was indexed after the first request', async () => {
    const id = newId()
    expect((await harness.request('GET', `/api/listings/${id}/similar`)).statusCode).toBe(404)
    await harness.createListing({ id, title: 'A lamp' })
    await expect.poll(async () => (await harness.request('GET', `/api/listings/${id}/similar`)).statusCode).toBe(200)
  })
})
