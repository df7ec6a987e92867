import { expect, it } from 'vitest'
import { emptyListing } from '../../../rules/empty-listing.fixture.ts'
import { toDraft, toEdit } from './to-edit.ts'

const id = '01970000-0000-7000-8000-000000000001'
const noFacts = { widths: null, formats: null, width: null, height: null, thumbhash: null }
const uploaded = {
  ...noFacts,
  url: `/pictures/${id}-0123456789abcdef/1280.jpg`,
  base: `/pictures/${id}-0123456789abcdef`,
  alt: 'Front',
}
const typed = { ...noFacts, url: 'https://a.example/1.jpg', base: null, alt: null }
const listing = {
  ...emptyListing,
  title: 'A lamp',
  price: 2499,
  shipping_cost: 450,
  terms_version: 3,
  pictures: [uploaded, typed],
}

it('LIFE-13 an edit sends the fields of the form, and pictures only if they changed', () => {
  const draft = toDraft(listing)
  expect(draft).toMatchObject({ title: 'A lamp', price: '24.99', shippingCost: '4.50' })
  const unchanged = toEdit(listing, draft)
  expect(unchanged).toMatchObject({ listing_version: 3, title: 'A lamp', price: 24.99, shipping_cost: 4.5 })
  expect(unchanged).not.toHaveProperty('pictures')
  expect(unchanged).not.toHaveProperty('is_auction')
  expect(unchanged).not.toHaveProperty('original_price')
  const swapped = toEdit(listing, { ...draft, images: draft.images.toReversed() })
  expect(swapped.pictures).toEqual([
    { url: 'https://a.example/1.jpg', alt: '' },
    { id, alt: 'Front' },
  ])
})
