import { describe, expect, it } from 'vitest'
import { maxImages, typedImage, uploadedImage } from './draft-image.ts'
import { emptyDraft, readDraft, toFormDraft, toNewListing, type Draft } from './draft.ts'
import { validateDraft, readImageUrl, withTypedImage } from './validate-draft.ts'

const now = new Date('2025-11-20T12:00:00Z')
const picture = 'https://a.example/1.jpg'
const lamp: Draft = { ...emptyDraft, title: ' Lamp ', categoryId: '3', price: '19.99' }
const watch: Draft = {
  ...emptyDraft,
  title: 'Watch',
  categoryId: '3',
  isAuction: true,
  startingBid: '10',
  endsAt: '2025-12-01T10:00',
}

describe('a draft', () => {
  it.each<[string, Partial<Draft>, object]>([
    ['no errors', {}, {}],
    ['no title', { title: '  ' }, { title: 'Title is required' }],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, { title: 'Title must be 200 characters or fewer' }],
    [
      'a description of 5001',
      { description: 'x'.repeat(5001) },
      { description: 'Description must be 5000 characters or fewer' },
    ],
    ['a location of 201', { location: 'x'.repeat(201) }, { location: 'Location must be 200 characters or fewer' }],
    ['texts of emojis up to their limits', { title: '😀'.repeat(200), location: '😀'.repeat(200) }, {}],
    ['an invalid image URL', { imageUrl: 'lamp.jpg' }, { imageUrl: 'Enter an image URL that starts with https://' }],
    ['an image URL that is not added yet', { imageUrl: picture }, {}],
    [
      'an image URL that is already added',
      { imageUrl: picture, images: [typedImage(picture)] },
      { imageUrl: "You've already added this photo" },
    ],
    ['an image URL that is too long', { imageUrl: picture + 'x'.repeat(2048) }, { imageUrl: 'This URL is too long' }],
    ['no category', { categoryId: '' }, { categoryId: 'Choose a category' }],
    ['no price', { price: '' }, { price: 'Price must be greater than $0.00' }],
    ['an invalid price', { price: '1.005' }, { price: 'Enter an amount in dollars, such as 4.50' }],
    ['a negative price', { price: '-1' }, { price: 'Price must be greater than $0.00' }],
    ['a price of 0', { price: '0.00' }, { price: 'Price must be greater than $0.00' }],
    ['negative shipping', { shippingCost: '-1' }, { shippingCost: 'Shipping cost cannot be negative' }],
    [
      'an original price that is not higher',
      { isOnSale: true, originalPrice: '19.99' },
      { originalPrice: 'Original price must be higher than the price' },
    ],
    [
      'an alt text of 251 characters',
      { images: [{ ...uploadedImage('k'), alt: 'x'.repeat(251) }] },
      { images: 'Alt text must be 250 characters or fewer' },
    ],
    ['an empty shipping cost', { shippingCost: '' }, {}],
  ])('at a fixed price with %s has the errors %s', (_name, change, problems) => {
    expect(validateDraft({ ...lamp, ...change }, now)).toEqual(problems)
  })

  it.each<[string, Partial<Draft>, object]>([
    ['no errors', {}, {}],
    ['an invalid starting bid', { startingBid: '1e2' }, { startingBid: 'Enter an amount in dollars, such as 4.50' }],
    ['no starting bid', { startingBid: '' }, { startingBid: 'Starting bid must be greater than $0.00' }],
    [
      'a buy-it-now price of 0',
      { buyItNowPrice: '0' },
      { buyItNowPrice: 'Buy It Now price must be greater than $0.00' },
    ],
    [
      'a buy-it-now price equal to the starting bid',
      { buyItNowPrice: '10' },
      { buyItNowPrice: 'Buy It Now price must be higher than starting bid' },
    ],
    ['a higher buy-it-now price', { buyItNowPrice: '10.01' }, {}],
    ['no end date', { endsAt: '' }, { endsAt: 'Choose an end date and time' }],
    ['an end date in the past', { endsAt: '2025-11-01T10:00' }, { endsAt: 'Choose a date in the future' }],
    ['no price', { price: '' }, {}],
  ])('as an auction with %s has the errors %s', (_name, change, problems) => {
    expect(validateDraft({ ...watch, ...change }, now)).toEqual(problems)
  })

  it.each(['20261-12-31T10:00', '202610-12-31T10:00', 'tomorrow'])(
    'SELL-08 with the end date %s has an error',
    (endsAt) => {
      expect(validateDraft({ ...watch, endsAt }, now)).toEqual({ endsAt: 'Enter a valid end date and time' })
    },
  )

  it('is converted to a request in dollars', () => {
    expect(toNewListing({ ...lamp, shippingCost: '4.5', images: [typedImage('https://a.example/1.jpg')] })).toEqual({
      title: 'Lamp',
      description: '',
      category_id: 3,
      condition: 'good',
      location: '',
      shipping_cost: 4.5,
      image_urls: ['https://a.example/1.jpg'],
      is_auction: false,
      price: 19.99,
      accept_offers: true,
      is_on_sale: false,
      original_price: undefined,
    })
  })

  it('adds the typed image URL to its pictures if it is valid and new', () => {
    const typed = { ...lamp, imageUrl: ` ${picture} `, images: [typedImage('https://a.example/0.jpg')] }
    const images = ['https://a.example/0.jpg', picture].map(typedImage)
    expect(withTypedImage(typed)).toEqual({ ...typed, imageUrl: '', images })
    for (const imageUrl of ['', 'lamp.jpg', 'https://a.example/0.jpg']) {
      expect(withTypedImage({ ...typed, imageUrl })).toEqual({ ...typed, imageUrl })
    }
  })

  it.each([picture, 'lamp.jpg'])('SELL-03 ignores the image URL %s if it has the maximum of photos', (imageUrl) => {
    const images = Array.from({ length: maxImages }, (_, number) => uploadedImage(`k${number}`))
    const full = { ...lamp, imageUrl, images }
    expect(validateDraft(full, now)).toEqual({})
    expect(withTypedImage(full)).toEqual(full)
    const withRoom = { ...full, images: images.slice(1) }
    expect(validateDraft(withRoom, now)).toEqual(validateDraft({ ...lamp, imageUrl }, now))
  })

  it('is restored from storage, even if it was stored without the image URL', () => {
    const { imageUrl: _, ...before } = lamp
    expect(readDraft(JSON.stringify(before))).toEqual(lamp)
    const invalid = ['', '{', 'null', '{"title":1}', '{"condition":"odd"}', '{"images":[{"key":1}]}']
    expect(invalid.map(readDraft)).toEqual(invalid.map(() => emptyDraft))
  })

  it('LIFE-24 has the id and the time of its save on the server, whatever its body says', () => {
    const stored = { id: 'd1', body: { ...lamp, draftId: 'd2', savedAt: 'x' }, updated_at: '2025-11-20T12:00:00.000Z' }
    expect(toFormDraft(stored)).toEqual({ ...lamp, draftId: 'd1', savedAt: stored.updated_at })
  })

  it('LIFE-20 is sent with its id only if the server may have it', () => {
    expect(toNewListing(lamp)).not.toHaveProperty('draft_id')
    expect(toNewListing({ ...lamp, draftId: 'd1' })).toMatchObject({ draft_id: 'd1' })
  })

  it('of an auction accepts no offers, whatever was checked before', () => {
    const request = toNewListing({ ...watch, acceptOffers: true, isOnSale: true, price: '5' })
    expect(request).toMatchObject({ starting_bid: 10, accept_offers: false, is_on_sale: false })
    expect(request.price).toBeUndefined()
    expect(request.auction_end_date).toBe(new Date('2025-12-01T10:00').toISOString())
  })

  it.each([
    ['https://a.example/1.jpg', 'https://a.example/1.jpg'],
    [' http://a.example/1.jpg ', 'http://a.example/1.jpg'],
    ['javascript:alert(1)', null],
    ['data:image/png;base64,AA', null],
    ['a.example/1.jpg', null],
    ['', null],
  ])('reads %j as the image URL %s', (typed, url) => {
    expect(readImageUrl(typed)).toBe(url)
  })
})
