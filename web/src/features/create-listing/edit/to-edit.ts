import type { ListingDetail, ListingEdit } from '../../../api/client/types.ts'
import { toDollars } from '../../../rules/money.ts'
import { toNewPictures, type DraftImage } from '../draft-image.ts'
import { emptyDraft, toNewListing, type Draft } from '../draft.ts'

/** Converts a listing to the values of the form, except for the auction fields. */
export function toDraft(listing: ListingDetail): Draft {
  return {
    ...emptyDraft,
    title: listing.title,
    description: listing.description,
    categoryId: String(listing.category_id),
    condition: listing.condition,
    location: listing.location,
    price: toDollars(listing.price).toFixed(2),
    shippingCost: toDollars(listing.shipping_cost).toFixed(2),
    acceptOffers: listing.accept_offers,
    isOnSale: listing.is_on_sale,
    images: listing.pictures.map(toDraftImage),
  }
}

const idLength = 36

// Converts a picture of a listing to a photo of the draft. The picture id is read from the base URL
// (`https://…/<picture id>-<hash>`), which only uploaded pictures have.
function toDraftImage({ url, base, alt }: ListingDetail['pictures'][number]): DraftImage {
  const pictureId = base?.split('/').at(-1)?.slice(0, idLength) ?? null
  return { key: url, url, pictureId, alt: alt ?? '' }
}

/** Converts a valid draft to the request body of an edit. The body contains the pictures only if they changed. */
export function toEdit(listing: ListingDetail, draft: Draft): ListingEdit {
  const { title, description, category_id, condition, location, accept_offers, is_on_sale, ...rest } =
    toNewListing(draft)
  const { price, shipping_cost: shipping } = rest
  const pictures = toNewPictures(draft.images)
  const isSame = JSON.stringify(pictures) === JSON.stringify(toNewPictures(toDraft(listing).images))
  return {
    title,
    description,
    category_id,
    condition,
    location,
    accept_offers,
    is_on_sale,
    ...(typeof price === 'number' && { price }),
    ...(typeof shipping === 'number' && { shipping_cost: shipping }),
    ...(!isSame && { pictures }),
    listing_version: listing.terms_version,
  }
}
