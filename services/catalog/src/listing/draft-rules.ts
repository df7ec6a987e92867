import type { Cents } from '@marketplace/kit/values/money.ts'
import type { ProblemDetail } from '@marketplace/kit/errors/problem.ts'
import type { ListingDraft } from './listing.ts'
import { lowestPriceFor } from './shipping-bound.ts'

interface Rule {
  /**
   * Name of the invalid field. The error response names `image_urls` instead of `pictures` if the client sent
   * `image_urls`.
   */
  path: string
  message: string
  isViolated: (draft: ListingDraft, now: Date) => boolean
}

const maxImages = 12

// Maximum total size of the description and the image URLs, in UTF-8 bytes.
const maxTextBytes = 32_768
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

const auctionShippingRule: Rule = {
  path: 'shipping_cost',
  message: 'Shipping cost can be at most $200.00 plus twice the starting bid',
  isViolated: ({ shipping, startingBid }) => exceeds(startingBid, 0) && isShippingAbove(shipping, startingBid),
}

const fixedPriceShippingRule: Rule = {
  path: 'shipping_cost',
  message: 'Shipping cost can be at most $200.00 plus twice the price',
  isViolated: ({ shipping, price }) => exceeds(price, 0) && isShippingAbove(shipping, price),
}

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
    path: 'pictures',
    message: `A listing has at most ${maxImages} images`,
    isViolated: ({ pictures }) => pictures.length > maxImages,
  },
  {
    path: 'pictures',
    message: 'Images must be valid http or https URLs',
    isViolated: (draft) => !urlsOf(draft).every(isHttpUrl),
  },
  {
    path: 'pictures',
    message: 'Image URLs must have no credentials, quotes, angle brackets or backslashes, and a host in ASCII',
    isViolated: (draft) => urlsOf(draft).some((url) => isHttpUrl(url) && !isPlainUrl(url)),
  },
  {
    path: 'pictures',
    message: `Description and image URLs can have at most ${maxTextBytes.toLocaleString('en-US')} bytes in all`,
    isViolated: (draft) => Buffer.byteLength(draft.description + urlsOf(draft).join('')) > maxTextBytes,
  },
]

/** Returns one problem per rule that the draft violates, in the order of the rules. */
export function validateDraft(draft: ListingDraft, now: Date): ProblemDetail[] {
  const rules = draft.isAuction ? [...auctionRules, auctionShippingRule] : [...fixedPriceRules, fixedPriceShippingRule]
  return [...rules, ...commonRules]
    .filter(({ isViolated }) => isViolated(draft, now))
    .map(({ path, message }) => ({ path: path === 'pictures' ? draft.picturesField : path, message }))
}

function urlsOf({ pictures }: ListingDraft): string[] {
  return pictures.flatMap((picture) => ('url' in picture ? picture.url : []))
}

function exceeds(amount: Cents | null, bound: number): boolean {
  return amount !== null && amount > bound
}

function isShippingAbove(shipping: Cents, price: Cents | null): boolean {
  return (price ?? 0) < lowestPriceFor(shipping)
}

// Checks the URL as text, because the `URL` parser would convert a non-ASCII host to ASCII instead of rejecting it.
function isPlainUrl(url: string): boolean {
  return /^https?:\/\/[!-.0->A-~]+(?:[/?#]|$)/i.test(url) && !/["'<>`\\]/.test(url)
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
