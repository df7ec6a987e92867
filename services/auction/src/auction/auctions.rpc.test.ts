import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

const dayMs = 24 * 3_600_000

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

function requestFor(listingId: string, endAt: Date) {
  const sellerId = harness.seller.userId
  const terms = { listingId, sellerId, priceCents: 10_000, shippingCents: 450, title: 'A watch', imageUrl: '' }
  return { terms, buyItNowCents: 50_000, endAt: timestampFromDate(endAt) }
}

describe('OpenAuction', () => {
  it('opens an auction that GetAuctions returns at once, also from another instance', async () => {
    const listingId = newId()
    const endAt = new Date(Date.now() + dayMs)
    const { answer } = await harness.first.auctions.openAuction(requestFor(listingId, endAt))
    const { auctions } = await harness.second.auctions.getAuctions({ listingIds: [listingId] })
    expect(answer.value).toEqual(auctions[0])
    expect(auctions).toEqual([
      expect.objectContaining({
        listingId,
        startingBidCents: 10_000,
        bidCount: 0,
        number: 0n,
        endAt: timestampFromDate(endAt),
        isOpen: true,
        buyItNowCents: 50_000,
      }),
    ])
    expect(auctions[0]?.currentBidCents).toBeUndefined()
  })

  it('changes nothing when it is repeated, also concurrently and after a bid', async () => {
    const listingId = newId()
    const request = requestFor(listingId, new Date(Date.now() + dayMs))
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? harness.first : harness.second).auctions.openAuction(request),
      ),
    )
    await harness.bid(listingId, 150)
    const { answer } = await harness.first.auctions.openAuction({ ...request, buyItNowCents: 90_000 })
    expect(answer.value).toMatchObject({ currentBidCents: 15_000, buyItNowCents: 50_000, bidCount: 1 })
    expect(await harness.rows('select 1 from auctions where listing_id = $1', [listingId])).toHaveLength(1)
  })

  it('returns the existing auction when its end has passed before the call is repeated', async () => {
    const listingId = newId()
    const request = requestFor(listingId, new Date(Date.now() + dayMs))
    await harness.first.auctions.openAuction(request)
    await harness.setEndIn(listingId, -1)
    const { answer } = await harness.first.auctions.openAuction(request)
    expect(answer).toMatchObject({ case: 'auction', value: { isOpen: false } })
  })

  it.each([
    ['is in the past', -1000, 'The auction end date must be in the future.'],
    ['is over a year away', 367 * dayMs, 'The auction end date must be within a year.'],
  ])('rejects an end that %s', async (_case, aheadMs, message) => {
    const listingId = newId()
    const { answer } = await harness.first.auctions.openAuction(requestFor(listingId, new Date(Date.now() + aheadMs)))
    expect(answer).toEqual({ case: 'refused', value: message })
    expect(await harness.rows('select 1 from auctions where listing_id = $1', [listingId])).toEqual([])
  })

  it('rejects invalid terms', async () => {
    const request = requestFor('7', new Date(Date.now() + dayMs))
    await expect(harness.first.auctions.openAuction(request)).rejects.toThrow('invalid_argument')
    await expect(harness.first.auctions.openAuction({})).rejects.toThrow('invalid_argument')
  })
})

describe('GetAuctions', () => {
  it('omits unknown ids and accepts at most 100', async () => {
    const listingId = await harness.openAuction()
    const { auctions } = await harness.first.auctions.getAuctions({ listingIds: [newId(), listingId, 'nonsense'] })
    expect(auctions.map((auction) => auction.listingId)).toEqual([listingId])
    await expect(
      harness.first.auctions.getAuctions({ listingIds: Array.from({ length: 101 }, newId) }),
    ).rejects.toThrow('invalid_argument')
  })

  it('reports the auction as ended from the end on, before it is closed', async () => {
    const listingId = await harness.openAuction()
    await harness.setEndIn(listingId, -1)
    const { auctions } = await harness.first.auctions.getAuctions({ listingIds: [listingId] })
    expect(auctions[0]?.isOpen).toBe(false)
    expect(await harness.rows('select state from auctions where listing_id = $1', [listingId])).toEqual([
      { state: 'open' },
    ])
  })

  it('returns no buy-it-now price once a bid has reached it', async () => {
    const listingId = await harness.openAuction({ buyItNowCents: 20_000 })
    const buyItNow = async () =>
      (await harness.first.auctions.getAuctions({ listingIds: [listingId] })).auctions[0]?.buyItNowCents
    await harness.bid(listingId, 199.99)
    expect(await buyItNow()).toBe(20_000)
    await harness.bid(listingId, 200)
    expect(await buyItNow()).toBeUndefined()
  })

  it('returns each of 200 bids at once from another instance', async () => {
    const listingId = await harness.openAuction()
    for (let cents = 10_001; cents <= 10_200; cents += 1) {
      const [bidInstance, readInstance] = cents % 2 ? [harness.first, harness.second] : [harness.second, harness.first]
      const { body } = await harness.bid(listingId, cents / 100, undefined, bidInstance)
      const { auctions } = await readInstance.auctions.getAuctions({ listingIds: [listingId] })
      expect(auctions[0]?.currentBidCents).toBe(body['current_bid'])
    }
  })
})
