import { cents, type Cents } from '@marketplace/kit/money.ts'
import type { ProblemDetail } from '@marketplace/kit/problem.ts'

export const conditions = ['new', 'like-new', 'good', 'fair', 'poor'] as const
export type Condition = (typeof conditions)[number]

export const maxImages = 12

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
  createdAt: Date
  updatedAt: Date
  version: number
}

interface Rule {
  path: string
  sentence: string
  isBroken: (draft: ListingDraft, now: Date) => boolean
}

const yearMs = 366 * 24 * 3_600_000

const auctionRules: readonly Rule[] = [
  {
    path: 'starting_bid',
    sentence: 'Starting bid must be greater than $0.00',
    isBroken: ({ startingBid }) => !isAbove(startingBid, 0),
  },
  {
    path: 'buy_it_now_price',
    sentence: 'Buy It Now price must be greater than $0.00',
    isBroken: ({ buyItNow }) => buyItNow !== null && !isAbove(buyItNow, 0),
  },
  {
    path: 'buy_it_now_price',
    sentence: 'Buy It Now price must be higher than starting bid',
    isBroken: ({ buyItNow, startingBid }) => isAbove(buyItNow, 0) && !isAbove(buyItNow, startingBid ?? 0),
  },
  { path: 'auction_end_date', sentence: 'Auction end date is required', isBroken: ({ endsAt }) => endsAt === null },
  {
    path: 'auction_end_date',
    sentence: 'Auction end date must be in the future',
    isBroken: ({ endsAt }, now) => endsAt !== null && endsAt <= now,
  },
  {
    path: 'auction_end_date',
    sentence: 'Auction end date must be within a year',
    isBroken: ({ endsAt }, now) => endsAt !== null && endsAt.getTime() - now.getTime() > yearMs,
  },
]

const fixedPriceRules: readonly Rule[] = [
  { path: 'price', sentence: 'Price must be greater than $0.00', isBroken: ({ price }) => !isAbove(price, 0) },
  {
    path: 'original_price',
    sentence: 'Original price must be higher than the price',
    isBroken: ({ isOnSale, originalPrice, price }) =>
      isOnSale && originalPrice !== null && !isAbove(originalPrice, price ?? 0),
  },
]

const commonRules: readonly Rule[] = [
  { path: 'shipping_cost', sentence: 'Shipping cost cannot be negative', isBroken: ({ shipping }) => shipping < 0 },
  {
    path: 'image_urls',
    sentence: `A listing has at most ${maxImages} images`,
    isBroken: ({ imageUrls }) => imageUrls.length > maxImages,
  },
  {
    path: 'image_urls',
    sentence: 'Images must be valid http or https URLs',
    isBroken: ({ imageUrls }) => !imageUrls.every(isWebAddress),
  },
]

/** Every rule of the specification that the draft breaks, in its order. */
export function brokenRules(draft: ListingDraft, now: Date): ProblemDetail[] {
  return [...(draft.isAuction ? auctionRules : fixedPriceRules), ...commonRules]
    .filter(({ isBroken }) => isBroken(draft, now))
    .map(({ path, sentence }) => ({ path, message: sentence }))
}

/** The listing that a sound draft makes; what does not belong to its kind is left out. */
export function makeListing(
  draft: ListingDraft,
  of: { id: string; sellerId: string; category: Category; now: Date },
): Listing {
  const { categoryId: _, ...facts } = draft
  const { now, ...origin } = of
  const whole = { ...facts, ...origin, isActive: true, createdAt: now, updatedAt: now, version: 1 }
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
  return isAbove(buyItNow, currentBid ?? 0) ? buyItNow : null
}

function isAbove(amount: Cents | null, bound: number): boolean {
  return amount !== null && amount > bound
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\/\S+$/i.test(address) && URL.canParse(address)
}

function priceOf(amount: Cents | null): Cents {
  if (amount === null) throw new Error('A draft without the price of its kind broke a rule before.')
  return cents(amount)
}
