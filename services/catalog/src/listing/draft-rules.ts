import type { Cents } from '@marketplace/kit/values/money.ts'
import type { ProblemDetail } from '@marketplace/kit/errors/problem.ts'
import type { ListingDraft } from './listing.ts'

interface Rule {
  path: string
  message: string
  isViolated: (draft: ListingDraft, now: Date) => boolean
}

const maxImages = 12
const yearMs = 366 * 24 * 3_600_000

const auctionRules: readonly Rule[] = [
  {
    path: 'starting_bid',
    message: 'Starting bid must be greater than $0.00',
    isViolated: ({ startingBid }) => !exceeds(startingBid, 0),
  },
  {
    path: 'buy_it_now_price',
    message: 'Buy It Now price must be greater than $0.00',
    isViolated: ({ buyItNow }) => buyItNow !== null && !exceeds(buyItNow, 0),
  },
  {
    path: 'buy_it_now_price',
    message: 'Buy It Now price must be higher than starting bid',
    isViolated: ({ buyItNow, startingBid }) => exceeds(buyItNow, 0) && !exceeds(buyItNow, startingBid ?? 0),
  },
  { path: 'auction_end_date', message: 'Auction end date is required', isViolated: ({ endsAt }) => endsAt === null },
  {
    path: 'auction_end_date',
    message: 'Auction end date must be in the future',
    isViolated: ({ endsAt }, now) => endsAt !== null && endsAt <= now,
  },
  {
    path: 'auction_end_date',
    message: 'Auction end date must be within a year',
    isViolated: ({ endsAt }, now) => endsAt !== null && endsAt.getTime() - now.getTime() > yearMs,
  },
]

const fixedPriceRules: readonly Rule[] = [
  { path: 'price', message: 'Price must be greater than $0.00', isViolated: ({ price }) => !exceeds(price, 0) },
  {
    path: 'original_price',
    message: 'Original price must be higher than the price',
    isViolated: ({ isOnSale, originalPrice, price }) =>
      isOnSale && originalPrice !== null && !exceeds(originalPrice, price ?? 0),
  },
]

const commonRules: readonly Rule[] = [
  { path: 'shipping_cost', message: 'Shipping cost cannot be negative', isViolated: ({ shipping }) => shipping < 0 },
  {
    path: 'image_urls',
    message: `A listing has at most ${maxImages} images`,
    isViolated: ({ imageUrls }) => imageUrls.length > maxImages,
  },
  {
    path: 'image_urls',
    message: 'Images must be valid http or https URLs',
    isViolated: ({ imageUrls }) => !imageUrls.every(isHttpUrl),
  },
]

/** Returns a problem for each rule that the draft violates, in the order of the specification. */
export function validateDraft(draft: ListingDraft, now: Date): ProblemDetail[] {
  return [...(draft.isAuction ? auctionRules : fixedPriceRules), ...commonRules]
    .filter(({ isViolated }) => isViolated(draft, now))
    .map(({ path, message }) => ({ path, message }))
}

function exceeds(amount: Cents | null, bound: number): boolean {
  return amount !== null && amount > bound
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
