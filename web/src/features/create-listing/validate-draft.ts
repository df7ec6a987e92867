import { parseDollars } from '../../rules/money.ts'
import { lengthError } from '../../rules/text.ts'
import { parseLocalInput } from '../../rules/time.ts'
import { isFull, maxAltLength, typedImage } from './draft-image.ts'
import type { Draft } from './draft.ts'

export type Problems = Partial<Record<keyof Draft, string>>

export const maxLengths = { title: 200, description: 5000, location: 200 }
const maxUrlLength = 2048

function isAbove(text: string, cents: number): boolean {
  const amount = parseDollars(text)
  return amount !== null && amount > cents
}

const notAnAmount = 'Enter an amount in dollars, such as 4.50'

function isMalformed(text: string): boolean {
  const typed = text.trim()
  return typed !== '' && !typed.startsWith('-') && parseDollars(typed) === null
}

/** Returns undefined if the text is an amount above $0.00, otherwise an error message. */
function validateAmount(text: string, name: string): string | undefined {
  if (isMalformed(text)) return notAnAmount
  return isAbove(text, 0) ? undefined : `${name} must be greater than $0.00`
}

/** Returns undefined if the text is a date after `now`, otherwise an error message. */
function validateEnd(text: string, now: Date): string | undefined {
  if (text === '') return 'Choose an end date and time'
  const end = parseLocalInput(text)
  if (end === null) return 'Enter a valid end date and time'
  return end <= now ? 'Choose a date in the future' : undefined
}

function auctionProblems(draft: Draft, now: Date): Problems {
  const problems: Problems = {}
  const ofBid = validateAmount(draft.startingBid, 'Starting bid')
  if (ofBid !== undefined) problems.startingBid = ofBid
  if (draft.buyItNowPrice.trim() !== '') {
    const startingBid = parseDollars(draft.startingBid) ?? 0
    const ofPrice = validateAmount(draft.buyItNowPrice, 'Buy It Now price')
    if (ofPrice !== undefined) problems.buyItNowPrice = ofPrice
    else if (!isAbove(draft.buyItNowPrice, startingBid)) {
      problems.buyItNowPrice = 'Buy It Now price must be higher than starting bid'
    }
  }
  const ofEnd = validateEnd(draft.endsAt, now)
  if (ofEnd !== undefined) problems.endsAt = ofEnd
  return problems
}

function fixedPriceProblems(draft: Draft): Problems {
  const problems: Problems = {}
  const ofPrice = validateAmount(draft.price, 'Price')
  if (ofPrice !== undefined) problems.price = ofPrice
  if (draft.isOnSale && draft.originalPrice.trim() !== '') {
    const price = parseDollars(draft.price) ?? 0
    if (isMalformed(draft.originalPrice)) problems.originalPrice = notAnAmount
    else if (!isAbove(draft.originalPrice, price))
      problems.originalPrice = 'Original price must be higher than the price'
  }
  return problems
}

/** Returns the error messages of a draft by field name, in the order of the form's fields. */
export function validateDraft(draft: Draft, now: Date): Problems {
  const problems: Problems = {}
  const add = (name: keyof Draft, problem: string | null) => {
    if (problem !== null) problems[name] = problem
  }
  add('title', draft.title.trim() === '' ? 'Title is required' : lengthError('Title', draft.title, maxLengths.title))
  add('description', lengthError('Description', draft.description, maxLengths.description))
  add('categoryId', draft.categoryId === '' ? 'Choose a category' : null)
  add('location', lengthError('Location', draft.location, maxLengths.location))
  Object.assign(problems, draft.isAuction ? auctionProblems(draft, now) : fixedPriceProblems(draft))
  if (draft.shippingCost.trim() !== '' && parseDollars(draft.shippingCost) === null) {
    const isNegative = draft.shippingCost.trim().startsWith('-')
    problems.shippingCost = isNegative ? 'Shipping cost cannot be negative' : notAnAmount
  }
  const tooLong = draft.images.find(({ alt }) => lengthError('Alt text', alt, maxAltLength) !== null)
  add('images', tooLong === undefined ? null : lengthError('Alt text', tooLong.alt, maxAltLength))
  add('imageUrl', draft.imageUrl.trim() === '' || isFull(draft.images) ? null : validateImageUrl(draft))
  return problems
}

/** Returns the normalized URL if the text is an http or https URL; otherwise null. */
export function readImageUrl(text: string): string | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null
}

/** Returns the error message if the image URL that the seller entered cannot be added to the images; otherwise null. */
export function validateImageUrl({ imageUrl, images }: Draft): string | null {
  const url = readImageUrl(imageUrl)
  if (url === null) return 'Enter an image URL that starts with https://'
  if (url.length > maxUrlLength) return 'This URL is too long'
  return images.some((image) => image.url === url) ? "You've already added this photo" : null
}

/**
 * Adds the image URL that the seller entered to the images of the draft. Returns the draft unchanged if the URL is
 * invalid or already added, or if the draft has the maximum of photos.
 */
export function withTypedImage(draft: Draft): Draft {
  const url = readImageUrl(draft.imageUrl)
  if (url === null || isFull(draft.images) || validateImageUrl(draft) !== null) return draft
  return { ...draft, images: [...draft.images, typedImage(url)], imageUrl: '' }
}
