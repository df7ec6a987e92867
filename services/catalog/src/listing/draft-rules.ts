import type { Cents } from '@marketplace/kit/money.ts'
import type { ProblemDetail } from '@marketplace/kit/problem.ts'
import type { ListingDraft } from './listing.ts'

interface Rule {
  path: string
  sentence: string
  isBroken: (draft: ListingDraft, now: Date) => boolean
}

const maxImages = 12
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

function isAbove(amount: Cents | null, bound: number): boolean {
  return amount !== null && amount > bound
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\/\S+$/i.test(address) && URL.canParse(address)
}
