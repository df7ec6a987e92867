import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { toListingDocument } from '@marketplace/contracts/listing.ts'
import { describe, expect, it } from 'vitest'
import { auctionEndingIn, makeListing } from '../testing/listings.ts'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

const at = timestampFromDate(new Date('2026-03-04T05:06:07.089Z'))
const reduced = {
  isOnSale: true,
  originalPriceCents: 9900,
  imageUrls: ['https://a.example/1.jpg', 'https://a.example/"2".jpg'],
}
const samples = {
  'a fixed-price listing': makeListing({ ...reduced, location: 'Portland, OR', createdAt: at, updatedAt: at }),
  'an auction': makeListing({
    ...auctionEndingIn(600),
    buyItNowCents: 90_000,
    description: 'Line 1\nLine 2',
    shippingCents: 450,
  }),
}

describe('the document of a listing', () => {
  it.each(Object.entries(samples))('of %s is built from the columns of a row that has none', async (_what, listing) => {
    await harness.createListing(listing)
    const { body: shown } = await harness.browse()
    expect(await documents()).toEqual([toListingDocument(listing)])
    // A pod of an earlier version writes rows without a body.
    await harness.query('update listings set body = null')
    expect(await documents()).toEqual([toListingDocument(listing)])
    expect((await harness.browse()).body).toEqual(shown)
  })

  it('is that of the columns when a pod of an earlier version wrote them later', async () => {
    const listing = makeListing()
    await harness.createListing(listing)
    await harness.query(`update listings set version = 2, title = 'A teapot', price_cents = 100`)
    expect((await harness.browse()).body).toMatchObject([{ title: 'A teapot', price: 100 }])
    await harness.changeListing({ ...listing, title: 'A brass clock', version: 3n })
    expect((await harness.browse()).body).toMatchObject([{ title: 'A brass clock', price: 2499 }])
  })

  it('is read rather than the columns, so that a field needs none', async () => {
    const listing = makeListing()
    await harness.createListing(listing)
    await harness.query(`update listings set body = body || '{"location": "Utrecht"}'`)
    expect((await harness.browse()).body).toMatchObject([{ location: 'Utrecht' }])
  })

  const documents = async () => {
    const rows = await harness.query('select listing_body(listings) as document from listings')
    return rows.map(({ document }) => document)
  }
})
