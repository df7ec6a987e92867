import { cents, type Cents } from '@marketplace/kit/money.ts'

export const conditions = ['new', 'like-new', 'good', 'fair', 'poor'] as const
export type Condition = (typeof conditions)[number]

export interface Category {
  id: number
  name: string
  slug: string
}

/** What a seller asks for; of the prices only those of its kind count. */
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
  imageUrls: readonly string[]
}

export interface Listing extends Omit<ListingDraft, 'categoryId' | 'price'> {
  id: string
  sellerId: string
  category: Category
  /** An auction's is its starting bid. */
  price: Cents
  isActive: boolean
  viewCount: number
  createdAt: Date
  updatedAt: Date
  version: number
}

/** The listing that a sound draft makes; what does not belong to its kind is left out. */
export function makeListing(
  draft: ListingDraft,
  of: { id: string; sellerId: string; category: Category; now: Date },
): Listing {
  const { categoryId: _, ...facts } = draft
  const { now, ...origin } = of
  const whole = { ...facts, ...origin, isActive: true, viewCount: 0, createdAt: now, updatedAt: now, version: 1 }
  return draft.isAuction
    ? { ...whole, price: priceOf(draft.startingBid), acceptOffers: false, isOnSale: false, originalPrice: null }
    : {
        ...whole,
        price: priceOf(draft.price),
        startingBid: null,
        buyItNow: null,
        endsAt: null,
        originalPrice: draft.isOnSale ? draft.originalPrice : null,
      }
}

/** The listing off the market: sold, or its auction is over. */
export function deactivate(listing: Listing, now: Date): Listing {
  return { ...listing, isActive: false, updatedAt: now, version: listing.version + 1 }
}

/** Stays until a bid reaches it. */
export function openBuyItNow(buyItNow: Cents | null, currentBid: Cents | null): Cents | null {
  return buyItNow !== null && buyItNow > (currentBid ?? 0) ? buyItNow : null
}

function priceOf(amount: Cents | null): Cents {
  if (amount === null) throw new Error('A draft without the price of its kind broke a rule before.')
  return cents(amount)
}
