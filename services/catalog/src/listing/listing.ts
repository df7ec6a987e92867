import type { conditions, EndReason, ListingStatus, OriginalPriceKind } from '@marketplace/contracts/listing.ts'
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
  status: ListingStatus
  /**
   * Payment deadline of the accepted offer or auction win. Null if the listing is not reserved, or if a checkout
   * reserved the listing.
   */
  reservedUntil: Date | null
  /** `endedAt` and `endReason` are null while the listing is active. */
  endedAt: Date | null
  endReason: EndReason | null
  /** Null if there is no original price. */
  originalPriceKind: OriginalPriceKind | null
  /** Version of the terms that a buyer agrees to, such as price and shipping. Increases from 1 with each edit. */
  termsVersion: number
  viewCount: number
  pictures: readonly StoredPicture[]
  /** The pictures as strings built by `pictureReference`: an image URL, or a reference to an uploaded picture. */
  imageUrls: readonly string[]
  createdAt: Date
  updatedAt: Date
  version: number
}

const newListing = {
  isActive: true,
  status: 'active',
  reservedUntil: null,
  endedAt: null,
  endReason: null,
  originalPriceKind: null,
  termsVersion: 1,
  viewCount: 0,
  version: 1,
} as const

/**
 * Builds a listing from a valid draft. Clears the fields that the listing's kind (fixed price or auction) does not use.
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
  const base = { ...fields, ...origin, imageUrls, ...newListing, createdAt: now, updatedAt: now }
  if (draft.isAuction) {
    return { ...base, price: priceOf(draft.startingBid), acceptOffers: false, isOnSale: false, originalPrice: null }
  }
  const originalPrice = draft.isOnSale ? draft.originalPrice : null
  return {
    ...base,
    price: priceOf(draft.price),
    startingBid: null,
    buyItNow: null,
    endsAt: null,
    originalPrice,
    originalPriceKind: originalPrice === null ? null : 'stated',
  }
}

function priceOf(amount: Cents | null): Cents {
  if (amount === null) throw new Error('The draft has no price and was not validated.')
  return cents(amount)
}
