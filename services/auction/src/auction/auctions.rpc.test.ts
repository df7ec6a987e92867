import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { newId } from '@marketplace/kit/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'

const dayMs = 24 * 3_600_000

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

function requestFor(listingId: string, endAt: Date) {
  const sellerId = stage.seller.userId
  const terms = { listingId, sellerId, priceCents: 10_000, shippingCents: 450, title: 'A watch', imageUrl: '' }
  return { terms, buyItNowCents: 50_000, endAt: timestampFromDate(endAt) }
}

describe('OpenAuction', () => {
  it('opens an auction that GetAuctions shows at once, on another process too', async () => {
    const listingId = newId()
    const endAt = new Date(Date.now() + dayMs)
    const { answer } = await stage.first.auctions.openAuction(requestFor(listingId, endAt))
    const { auctions } = await stage.second.auctions.getAuctions({ listingIds: [listingId] })
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

  it('changes nothing when asked again, also by many at once and after a bid', async () => {
    const listingId = newId()
    const request = requestFor(listingId, new Date(Date.now() + dayMs))
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? stage.first : stage.second).auctions.openAuction(request)),
    )
    await stage.bid(listingId, 150)
    const { answer } = await stage.first.auctions.openAuction({ ...request, buyItNowCents: 90_000 })
    expect(answer.value).toMatchObject({ currentBidCents: 15_000, buyItNowCents: 50_000, bidCount: 1 })
    expect(await stage.rows('select 1 from auctions where listing_id = $1', [listingId])).toHaveLength(1)
  })

  it('answers the auction, not a refusal, when its end passed before it was asked again', async () => {
    const listingId = newId()
    const request = requestFor(listingId, new Date(Date.now() + dayMs))
    await stage.first.auctions.openAuction(request)
    await stage.endIn(listingId, -1)
    const { answer } = await stage.first.auctions.openAuction(request)
    expect(answer).toMatchObject({ case: 'auction', value: { isOpen: false } })
  })

  it.each([
    ['passed', -1000, 'The auction end date must be in the future.'],
    ['is over a year away', 367 * dayMs, 'The auction end date must be within a year.'],
  ])('refuses an end that %s', async (_case, aheadMs, sentence) => {
    const listingId = newId()
    const { answer } = await stage.first.auctions.openAuction(requestFor(listingId, new Date(Date.now() + aheadMs)))
    expect(answer).toEqual({ case: 'refused', value: sentence })
    expect(await stage.rows('select 1 from auctions where listing_id = $1', [listingId])).toEqual([])
  })

  it('refuses terms that make no sense', async () => {
    const request = requestFor('7', new Date(Date.now() + dayMs))
    await expect(stage.first.auctions.openAuction(request)).rejects.toThrow('invalid_argument')
    await expect(stage.first.auctions.openAuction({})).rejects.toThrow('invalid_argument')
  })
})

describe('GetAuctions', () => {
  it('leaves out what it does not know and takes at most 100 ids', async () => {
    const listingId = await stage.openAuction()
    const { auctions } = await stage.first.auctions.getAuctions({ listingIds: [newId(), listingId, 'nonsense'] })
    expect(auctions.map((auction) => auction.listingId)).toEqual([listingId])
    await expect(stage.first.auctions.getAuctions({ listingIds: Array.from({ length: 101 }, newId) })).rejects.toThrow(
      'invalid_argument',
    )
  })

  it('says ended from the end on, before anybody closed the auction', async () => {
    const listingId = await stage.openAuction()
    await stage.endIn(listingId, -1)
    const { auctions } = await stage.first.auctions.getAuctions({ listingIds: [listingId] })
    expect(auctions[0]?.isOpen).toBe(false)
    expect(await stage.rows('select state from auctions where listing_id = $1', [listingId])).toEqual([
      { state: 'open' },
    ])
  })

  it('has no buy-it-now price once a bid reached it', async () => {
    const listingId = await stage.openAuction({ buyItNowCents: 20_000 })
    const buyItNow = async () =>
      (await stage.first.auctions.getAuctions({ listingIds: [listingId] })).auctions[0]?.buyItNowCents
    await stage.bid(listingId, 199.99)
    expect(await buyItNow()).toBe(20_000)
    await stage.bid(listingId, 200)
    expect(await buyItNow()).toBeUndefined()
  })

  it('shows each of 200 bids at once through another process', async () => {
    const listingId = await stage.openAuction()
    for (let cents = 10_001; cents <= 10_200; cents += 1) {
      const [here, there] = cents % 2 ? [stage.first, stage.second] : [stage.second, stage.first]
      const { body } = await stage.bid(listingId, cents / 100, undefined, here)
      const { auctions } = await there.auctions.getAuctions({ listingIds: [listingId] })
      expect(auctions[0]?.currentBidCents).toBe(body['current_bid'])
    }
  })
})
