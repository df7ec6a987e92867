import { positiveDollars } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import { hasOnePicturesField, listingFields, twoPicturesFields } from '../create-listing.body.ts'
import type { ListingEdit } from './edit.ts'

const price = positiveDollars('Price must be greater than $0.00')

/** The request body of an edit: the changed fields, and the terms version on which the edit is based. */
export const EditListingBody = z
  .object({ ...listingFields, price, category_id: listingFields.category_id.min(1, 'Choose a category') })
  .partial()
  .extend({
    original_price: listingFields.original_price.nullish(),
    listing_version: z.int32().min(1, 'Must be the terms version of a listing'),
  })
  .refine(hasOnePicturesField, twoPicturesFields)
  .meta({ id: 'EditListing' })

export const RelistListingBody = z
  .object({ price, shipping_cost: listingFields.shipping_cost })
  .partial()
  .meta({ id: 'RelistListing' })

export function toEdit(body: Omit<z.output<typeof EditListingBody>, 'listing_version'>): ListingEdit {
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.category_id !== undefined && { categoryId: body.category_id }),
    ...(body.condition !== undefined && { condition: body.condition }),
    ...(body.price !== undefined && { price: body.price }),
    ...(body.shipping_cost !== undefined && { shipping: body.shipping_cost }),
    ...(body.location !== undefined && { location: body.location }),
    ...(body.accept_offers !== undefined && { acceptOffers: body.accept_offers }),
    ...(body.is_on_sale !== undefined && { isOnSale: body.is_on_sale }),
    ...(body.original_price !== undefined && { originalPrice: body.original_price }),
    ...picturesOf(body),
  }
}

function picturesOf({ image_urls: urls, pictures }: Partial<z.output<typeof EditListingBody>>): ListingEdit {
  if (pictures !== undefined) return { picturesField: 'pictures', pictures }
  return urls === undefined ? {} : { picturesField: 'image_urls', pictures: urls.map((url) => ({ url, alt: null })) }
}
