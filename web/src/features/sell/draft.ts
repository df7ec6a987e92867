import type { Condition, NewListing } from '../../api/types.ts'
import { parseDollars, toDollars } from '../../rules/money.ts'
import { tooLong } from '../../rules/text.ts'

/** The form as typed: dollars and dates are text until they are judged. */
export type Draft = {
  title: string
  description: string
  categoryId: string
  condition: Condition
  location: string
  isAuction: boolean
  price: string
  startingBid: string
  buyItNowPrice: string
  endsAt: string
  shippingCost: string
  acceptOffers: boolean
  isOnSale: boolean
  originalPrice: string
  images: string[]
  /** An address that is typed but not added to the images yet. */
  imageUrl: string
}

export const emptyDraft: Draft = {
  title: '',
  description: '',
  categoryId: '',
  condition: 'good',
  location: '',
  isAuction: false,
  price: '',
  startingBid: '',
  buyItNowPrice: '',
  endsAt: '',
  shippingCost: '0',
  acceptOffers: true,
  isOnSale: false,
  originalPrice: '',
  images: [],
  imageUrl: '',
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const isAlike = ([name, usual]: [string, unknown]) => typeof Reflect.get(value, name) === typeof usual
  return Object.entries(emptyDraft).every(isAlike) && Array.isArray(Reflect.get(value, 'images'))
}

/** The draft that was kept as JSON; an empty one where there is none. */
export function readDraft(kept: string): Draft {
  try {
    // A draft kept before a field was there has it empty.
    const value: unknown = Object.assign({}, emptyDraft, JSON.parse(kept))
    return isDraft(value) ? value : emptyDraft
  } catch {
    return emptyDraft
  }
}

export type Problems = Partial<Record<keyof Draft, string>>

export const longest = { title: 200, description: 5000, location: 200 }
export const maxImages = 12
const longestUrl = 2048

function isMoreThan(text: string, cents: number): boolean {
  const amount = parseDollars(text)
  return amount !== null && amount > cents
}

const notAnAmount = 'Enter an amount in dollars, such as 4.50'

function isMalformed(text: string): boolean {
  const typed = text.trim()
  return typed !== '' && !typed.startsWith('-') && parseDollars(typed) === null
}

/** The problem of an amount that has to be above 0. */
function problemOfAmount(text: string, name: string): string | undefined {
  if (isMalformed(text)) return notAnAmount
  return isMoreThan(text, 0) ? undefined : `${name} must be greater than $0.00`
}

function auctionProblems(draft: Draft, now: Date): Problems {
  const problems: Problems = {}
  const ofBid = problemOfAmount(draft.startingBid, 'Starting bid')
  if (ofBid !== undefined) problems.startingBid = ofBid
  if (draft.buyItNowPrice.trim() !== '') {
    const startingBid = parseDollars(draft.startingBid) ?? 0
    const ofPrice = problemOfAmount(draft.buyItNowPrice, 'Buy It Now price')
    if (ofPrice !== undefined) problems.buyItNowPrice = ofPrice
    else if (!isMoreThan(draft.buyItNowPrice, startingBid)) {
      problems.buyItNowPrice = 'Buy It Now price must be higher than starting bid'
    }
  }
  if (draft.endsAt === '') problems.endsAt = 'Choose when the auction ends'
  else if (new Date(draft.endsAt) <= now) problems.endsAt = 'The auction must end in the future'
  return problems
}

function fixedPriceProblems(draft: Draft): Problems {
  const problems: Problems = {}
  const ofPrice = problemOfAmount(draft.price, 'Price')
  if (ofPrice !== undefined) problems.price = ofPrice
  if (draft.isOnSale && draft.originalPrice.trim() !== '') {
    const price = parseDollars(draft.price) ?? 0
    if (isMalformed(draft.originalPrice)) problems.originalPrice = notAnAmount
    else if (!isMoreThan(draft.originalPrice, price))
      problems.originalPrice = 'Original price must be higher than the price'
  }
  return problems
}

/** What keeps a draft from being listed, in the order of the form. */
export function problemsOf(draft: Draft, now: Date): Problems {
  const problems: Problems = {}
  const note = (name: keyof Draft, problem: string | null) => {
    if (problem !== null) problems[name] = problem
  }
  note('title', draft.title.trim() === '' ? 'Title is required' : tooLong('Title', draft.title, longest.title))
  note('description', tooLong('Description', draft.description, longest.description))
  note('categoryId', draft.categoryId === '' ? 'Choose a category' : null)
  note('location', tooLong('Location', draft.location, longest.location))
  Object.assign(problems, draft.isAuction ? auctionProblems(draft, now) : fixedPriceProblems(draft))
  if (draft.shippingCost.trim() !== '' && parseDollars(draft.shippingCost) === null) {
    const isNegative = draft.shippingCost.trim().startsWith('-')
    problems.shippingCost = isNegative ? 'Shipping cost cannot be negative' : notAnAmount
  }
  note('imageUrl', draft.imageUrl.trim() === '' ? null : problemOfImage(draft))
  return problems
}

function dollarsOf(text: string): number | undefined {
  const cents = parseDollars(text)
  return cents === null ? undefined : toDollars(cents)
}

/** The request for a draft without problems. */
export function toNewListing(draft: Draft): NewListing {
  const shared = {
    title: draft.title.trim(),
    description: draft.description.trim(),
    category_id: Number(draft.categoryId),
    condition: draft.condition,
    location: draft.location.trim(),
    shipping_cost: dollarsOf(draft.shippingCost) ?? 0,
    image_urls: draft.images,
    is_auction: draft.isAuction,
  }
  if (draft.isAuction) {
    return {
      ...shared,
      starting_bid: dollarsOf(draft.startingBid),
      buy_it_now_price: dollarsOf(draft.buyItNowPrice),
      auction_end_date: new Date(draft.endsAt).toISOString(),
      accept_offers: false,
      is_on_sale: false,
    }
  }
  return {
    ...shared,
    price: dollarsOf(draft.price),
    accept_offers: draft.acceptOffers,
    is_on_sale: draft.isOnSale,
    original_price: draft.isOnSale ? dollarsOf(draft.originalPrice) : undefined,
  }
}

/** Null when the address cannot be a picture's. */
export function readImageUrl(text: string): string | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null
}

/** What keeps the typed address from being added to the images. */
export function problemOfImage({ imageUrl, images }: Draft): string | null {
  const url = readImageUrl(imageUrl)
  if (url === null) return 'Enter the address of a picture, starting with https://'
  if (url.length > longestUrl) return 'This address is too long'
  return images.includes(url) ? 'This picture is already added' : null
}

/** The draft with the typed address added to its images, where that can be. */
export function withTypedImage(draft: Draft): Draft {
  const url = readImageUrl(draft.imageUrl)
  if (url === null || problemOfImage(draft) !== null) return draft
  return { ...draft, images: [...draft.images, url], imageUrl: '' }
}
