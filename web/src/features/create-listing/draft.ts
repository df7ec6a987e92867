import type { Condition, NewListing, StoredDraft } from '../../api/client/types.ts'
import { isCondition } from '../../rules/listing.ts'
import { parseDollars, toDollars } from '../../rules/money.ts'
import { hasOnlyUrls, isDraftImage, toNewPictures, type DraftImage } from './draft-image.ts'

/** The form's values as the seller typed them. Amounts (in dollars) and dates are unvalidated text. */
export interface Draft {
  /** Id under which the server stores the draft; empty until the first save. */
  draftId: string
  /** Time at which the version that the user edits was saved on the server; empty until the first save. */
  savedAt: string
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
  images: DraftImage[]
  /** An image URL that the seller entered but has not added to the images yet. */
  imageUrl: string
}

export const emptyDraft: Draft = {
  draftId: '',
  savedAt: '',
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
  const hasSameType = ([name, empty]: [string, unknown]) => typeof Reflect.get(value, name) === typeof empty
  const images: unknown = Reflect.get(value, 'images')
  return (
    Object.entries(emptyDraft).every(hasSameType) &&
    isCondition(String(Reflect.get(value, 'condition'))) &&
    Array.isArray(images) &&
    images.every(isDraftImage)
  )
}

/** Converts a stored draft to the form's values, or returns an empty draft if the stored draft is invalid. */
function parseDraft(stored: unknown): Draft {
  // Takes missing fields from `emptyDraft`, because an earlier version of the page may have stored fewer fields.
  const value: unknown = Object.assign({}, emptyDraft, stored)
  return isDraft(value) ? value : emptyDraft
}

/** Converts a draft from the server to the form's values. */
export function toFormDraft({ id, body, updated_at: savedAt }: StoredDraft): Draft {
  return { ...parseDraft(body), draftId: id, savedAt }
}

/** Parses a draft from JSON, or returns an empty draft if the JSON is missing or invalid. */
export function readDraft(stored: string): Draft {
  try {
    return parseDraft(JSON.parse(stored))
  } catch {
    return emptyDraft
  }
}

function toDollarsOrUndefined(text: string): number | undefined {
  const cents = parseDollars(text)
  return cents === null ? undefined : toDollars(cents)
}

/** Converts a valid draft to the request body. */
export function toNewListing(draft: Draft): NewListing {
  const shared = {
    title: draft.title.trim(),
    description: draft.description.trim(),
    category_id: Number(draft.categoryId),
    condition: draft.condition,
    location: draft.location.trim(),
    shipping_cost: toDollarsOrUndefined(draft.shippingCost) ?? 0,
    ...(hasOnlyUrls(draft.images)
      ? { image_urls: draft.images.map(({ url }) => url ?? '') }
      : { pictures: toNewPictures(draft.images) }),
    is_auction: draft.isAuction,
    ...(draft.draftId !== '' && { draft_id: draft.draftId }),
  }
  if (draft.isAuction) {
    return {
      ...shared,
      starting_bid: toDollarsOrUndefined(draft.startingBid),
      buy_it_now_price: toDollarsOrUndefined(draft.buyItNowPrice),
      auction_end_date: new Date(draft.endsAt).toISOString(),
      accept_offers: false,
      is_on_sale: false,
    }
  }
  return {
    ...shared,
    price: toDollarsOrUndefined(draft.price),
    accept_offers: draft.acceptOffers,
    is_on_sale: draft.isOnSale,
    original_price: draft.isOnSale ? toDollarsOrUndefined(draft.originalPrice) : undefined,
  }
}
