import type { conditions } from '@marketplace/contracts/listing.ts'
import { pictureReference, type StoredPicture } from '@marketplace/contracts/pictures.ts'
import { cents, type Cents } from '@marketplace/kit/values/money.ts'
import type { ChosenPicture } from '../picture/use-pictures.ts'

export type Condition = (typeof conditions)[number]

export interface Category {
  id: number
  name: string
  slug: string
}

/**
 * A new listing as the seller entered it. Fixed-price listings use `price`. Auctions use `startingBid` and `buyItNow`.
 */
export interface ListingDraft {
  title: string
  description: string
  categoryId: number
  condition: Condition
  isAuction: boolean
  price: Cents | null
  startingBid: Cents | null
  buyItNow: Cents | null
  endsAt: Date | null
  shipping: Cents
  location: string
  acceptOffers: boolean
  isOnSale: boolean
  originalPrice: Cents | null
  /** Field of the request that names the pictures. */
  picturesField: 'image_urls' | 'pictures'
  pictures: readonly ChosenPicture[]
}

export interface Listing extends Omit<ListingDraft, 'categoryId' | 'price' | 'picturesField' | 'pictures'> {
  id: string
  sellerId: string
  category: Category
  /** The fixed price, or the starting bid of an auction. */
  price: Cents
  isActive: boolean
  viewCount: number
  pictures: readonly StoredPicture[]
  /** References of the pictures, see `pictureReference`. */
  imageUrls: readonly string[]
  createdAt: Date
  updatedAt: Date
  version: number
}

/**
 * Builds a listing from a valid draft. Fields that the listing's kind (fixed price or auction) does not use are reset.
 */
export function makeListing(
  draft: ListingDraft,
  {
    now,
    ...origin
  }: { id: string; sellerId: string; category: Category; pictures: readonly StoredPicture[]; now: Date },
): Listing {
  const { categoryId: _, picturesField: _field, ...fields } = draft
  const imageUrls = origin.pictures.map(pictureReference)
  const base = {
    ...fields,
    ...origin,
    imageUrls,
    isActive: true,
    viewCount: 0,
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
  return draft.isAuction
    ? { ...base, price: priceOf(draft.startingBid), acceptOffers: false, isOnSale: false, originalPrice: null }
    : {
        ...base,
        price: priceOf(draft.price),
        startingBid: null,
        buyItNow: null,
        endsAt: null,
        originalPrice: draft.isOnSale ? draft.originalPrice : null,
      }
}

/** Returns the listing as inactive, because it was sold or its auction has closed. */
export function deactivate(listing: Listing, now: Date): Listing {
  return { ...listing, isActive: false, updatedAt: now, version: listing.version + 1 }
}

function priceOf(amount: Cents | null): Cents {
  if (amount === null) throw new Error('The draft has no price and was not validated.')
  return cents(amount)
}
