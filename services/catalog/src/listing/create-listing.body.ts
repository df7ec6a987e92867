import { conditions } from '@marketplace/contracts/listing.ts'
import { cents, Dollars } from '@marketplace/kit/values/money.ts'
import { line, text } from '@marketplace/kit/http/text.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { ListingDraft } from './listing.ts'

const title = line({
  min: 1,
  max: 200,
  tooShort: 'Title is required',
  tooLong: 'Title must have at most 200 characters',
})

const alt = line({ max: 250 })
  .nullish()
  .transform((value) => value || null)

const ChosenPictures = z
  .array(z.union([z.strictObject({ id: Id, alt }), z.strictObject({ url: text({ max: 2048 }), alt })]))
  .refine((pictures) => new Set(pictures.map(idOf)).size === pictures.length, 'Each picture can be used once')

/** The fields of a listing in requests to create and to edit it. */
export const listingFields = {
  title,
  description: text({ max: 5000 }),
  condition: z.enum(conditions),
  price: Dollars,
  original_price: Dollars,
  shipping_cost: Dollars,
  location: line({ max: 200 }),
  accept_offers: z.boolean(),
  is_on_sale: z.boolean(),
  image_urls: z.array(text({ max: 2048 })),
  pictures: ChosenPictures,
  category_id: z.int32({ error: 'Choose a category' }),
}

interface PictureFields {
  image_urls?: readonly string[] | undefined
  pictures?: ListingDraft['pictures'] | undefined
}

/** Returns false if a request contains both `image_urls` and `pictures`, otherwise true. */
export function hasOnePicturesField({ image_urls: urls, pictures }: PictureFields): boolean {
  return urls === undefined || pictures === undefined
}

export const twoPicturesFields = { path: ['pictures'], error: 'Send either pictures or image_urls' }

const Body = z
  .object({
    title: z.preprocess((given) => given ?? '', listingFields.title),
    description: listingFields.description.default(''),
    condition: listingFields.condition.default('good'),
    is_auction: z.boolean().default(false),
    starting_bid: Dollars.nullish(),
    buy_it_now_price: Dollars.nullish(),
    auction_end_date: z.iso
      .datetime({ offset: true, error: 'Auction end date must be a date and time with its offset' })
      .nullish(),
    price: listingFields.price.nullish(),
    original_price: listingFields.original_price.nullish(),
    shipping_cost: listingFields.shipping_cost.nullish(),
    location: listingFields.location.default(''),
    accept_offers: listingFields.accept_offers.default(true),
    is_on_sale: listingFields.is_on_sale.default(false),
    image_urls: listingFields.image_urls.optional(),
    pictures: listingFields.pictures.optional(),
    category_id: listingFields.category_id,
    draft_id: Id.nullish().meta({ description: 'The draft of this listing, which is deleted' }),
  })
  .refine(hasOnePicturesField, twoPicturesFields)
  .meta({ id: 'CreateListing' })

/**
 * Request body for a new listing. Fields that the requested kind of listing (fixed price or auction) does not use are
 * dropped before validation.
 */
export const CreateListingBody = z.preprocess(dropIgnoredFields, Body)

const fixedPriceFields = new Set(['price', 'original_price', 'accept_offers', 'is_on_sale'])
const auctionFields = new Set(['starting_bid', 'buy_it_now_price', 'auction_end_date'])

function dropIgnoredFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const isAuction = 'is_auction' in body && body.is_auction === true
  const ignored = isAuction ? fixedPriceFields : auctionFields
  return Object.fromEntries(Object.entries(body).filter(([field]) => !ignored.has(field)))
}

function idOf(picture: { id: string } | { url: string }): string {
  return 'id' in picture ? picture.id : picture.url
}

export function toDraft(body: z.output<typeof Body>): ListingDraft {
  return {
    title: body.title,
    description: body.description,
    categoryId: body.category_id,
    condition: body.condition,
    isAuction: body.is_auction,
    price: body.price ?? null,
    startingBid: body.starting_bid ?? null,
    buyItNow: body.buy_it_now_price ?? null,
    endsAt: body.auction_end_date ? new Date(body.auction_end_date) : null,
    shipping: body.shipping_cost ?? cents(0),
    location: body.location,
    acceptOffers: body.accept_offers,
    isOnSale: body.is_on_sale,
    originalPrice: body.original_price ?? null,
    picturesField: body.pictures === undefined ? 'image_urls' : 'pictures',
    pictures: body.pictures ?? (body.image_urls ?? []).map((url) => ({ url, alt: null })),
  }
}
