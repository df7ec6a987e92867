import { create } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate, type Timestamp } from '@bufbuild/protobuf/wkt'
import { z } from 'zod'
import { ListingSchema, type Listing } from './gen/marketplace/catalog/v1/catalog_pb.ts'
import {
  expandPicture,
  ListingPictureView,
  toPictureMessage,
  toPictureView,
  toStoredPicture,
  type StoredPicture,
} from './pictures.ts'

export const conditions = ['new', 'like-new', 'good', 'fair', 'poor'] as const
export const listingStatuses = ['active', 'reserved', 'sold', 'ended'] as const
export const endReasons = ['seller', 'sold', 'auction', 'removed', 'erased'] as const
export const originalPriceKinds = ['stated', 'proven'] as const

export type ListingStatus = (typeof listingStatuses)[number]
export type EndReason = (typeof endReasons)[number]
export type OriginalPriceKind = (typeof originalPriceKinds)[number]

/**
 * The content of one version of a listing, with the field names of the API. Amounts are in cents, times in ISO 8601
 * (UTC).
 */
export interface ListingDocument {
  id: string
  version: number
  user_id: string
  title: string
  description: string
  price: number
  category_id: number
  category_name: string
  category_slug: string
  condition: string
  is_auction: boolean
  auction_end_date: string | null
  starting_bid: number | null
  /** The buy-it-now price that the seller set, in cents; responses contain null once a bid has reached this price. */
  buy_it_now_price: number | null
  shipping_cost: number
  location: string
  accept_offers: boolean
  is_on_sale: boolean
  original_price: number | null
  /** One reference per picture: `picture:{key}` for an uploaded picture, or the image URL that the seller entered. */
  image_urls: string[]
  /** Missing in documents stored by an earlier version, which have only `image_urls`. */
  pictures?: StoredPicture[] | undefined
  created_at: string
  updated_at: string
  // The following fields are missing in documents and events of earlier versions.
  terms_version?: number | undefined
  status?: string | undefined
  reserved_until?: string | null | undefined
  ended_at?: string | null | undefined
  end_reason?: string | null | undefined
  original_price_kind?: string | null | undefined
}

/** The values of a listing that change without a new version. `currentBid` is in cents, or null without a bid. */
export interface LiveListing {
  currentBid: number | null
  isActive: boolean
  viewCount: number
}

/** A listing in an API response of the catalog or search service, alone or in a list. */
export const ListingView = z
  .object({
    id: z.uuidv7(),
    user_id: z.uuidv7(),
    title: z.string(),
    description: z.string(),
    price: z.int(),
    category_id: z.int(),
    category: z.object({ id: z.int(), name: z.string(), slug: z.string() }),
    condition: z.enum(conditions),
    is_auction: z.boolean(),
    auction_end_date: z.iso.datetime().nullable(),
    starting_bid: z.int().nullable(),
    current_bid: z.int().nullable(),
    buy_it_now_price: z.int().nullable(),
    shipping_cost: z.int(),
    location: z.string(),
    is_active: z.boolean(),
    accept_offers: z.boolean(),
    is_on_sale: z.boolean(),
    original_price: z.int().nullable(),
    view_count: z.int(),
    image_urls: z.string(),
    image_urls_parsed: z.array(z.string()),
    pictures: z.array(ListingPictureView),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    terms_version: z.int().meta({ description: 'Rises with every change of the terms that a buyer agrees to' }),
    status: z.enum(listingStatuses),
    reserved_until: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    end_reason: z.enum(endReasons).nullable(),
    original_price_kind: z.enum(originalPriceKinds).nullable(),
  })
  .meta({ id: 'Listing' })

export type ListingView = z.output<typeof ListingView>

const Condition = z.enum(conditions)
const Status = z.enum(listingStatuses)
const EndReason = z.enum(endReasons).nullable()
const OriginalPriceKind = z.enum(originalPriceKinds).nullable()

/**
 * Converts a listing's protobuf message, which events and internal calls contain, to a document. Throws if the creation
 * or update time is missing.
 */
export function toListingDocument(listing: Listing): ListingDocument {
  return {
    id: listing.id,
    version: Number(listing.version),
    user_id: listing.sellerId,
    title: listing.title,
    description: listing.description,
    price: listing.priceCents,
    category_id: listing.categoryId,
    category_name: listing.categoryName,
    category_slug: listing.categorySlug,
    condition: listing.condition,
    is_auction: listing.isAuction,
    auction_end_date: listing.auctionEndAt ? toIso(listing.auctionEndAt) : null,
    starting_bid: listing.startingBidCents ?? null,
    buy_it_now_price: listing.buyItNowCents ?? null,
    shipping_cost: listing.shippingCents,
    location: listing.location,
    accept_offers: listing.acceptOffers,
    is_on_sale: listing.isOnSale,
    original_price: listing.originalPriceCents ?? null,
    image_urls: listing.imageUrls,
    ...(listing.pictures.length > 0 && { pictures: listing.pictures.map(toStoredPicture) }),
    created_at: toIso(listing.createdAt),
    updated_at: toIso(listing.updatedAt),
    terms_version: listing.termsVersion || undefined,
    status: listing.status || undefined,
    reserved_until: listing.reservedUntil ? toIso(listing.reservedUntil) : undefined,
    ended_at: listing.endedAt ? toIso(listing.endedAt) : undefined,
    end_reason: listing.endReason || undefined,
    original_price_kind: listing.originalPriceKind || undefined,
  }
}

/** Converts a listing's document to the protobuf message for events and internal calls. */
export function toListingMessage(document: ListingDocument, live: Omit<LiveListing, 'currentBid'>): Listing {
  return create(ListingSchema, {
    id: document.id,
    version: BigInt(document.version),
    sellerId: document.user_id,
    title: document.title,
    description: document.description,
    priceCents: document.price,
    categoryId: document.category_id,
    categoryName: document.category_name,
    categorySlug: document.category_slug,
    condition: document.condition,
    isAuction: document.is_auction,
    auctionEndAt: document.auction_end_date === null ? undefined : toTimestamp(document.auction_end_date),
    startingBidCents: document.starting_bid ?? undefined,
    buyItNowCents: document.buy_it_now_price ?? undefined,
    shippingCents: document.shipping_cost,
    location: document.location,
    acceptOffers: document.accept_offers,
    isOnSale: document.is_on_sale,
    originalPriceCents: document.original_price ?? undefined,
    imageUrls: document.image_urls,
    pictures: (document.pictures ?? []).map(toPictureMessage),
    createdAt: toTimestamp(document.created_at),
    updatedAt: toTimestamp(document.updated_at),
    termsVersion: document.terms_version ?? 0,
    status: document.status ?? '',
    reservedUntil: document.reserved_until ? toTimestamp(document.reserved_until) : undefined,
    endedAt: document.ended_at ? toTimestamp(document.ended_at) : undefined,
    endReason: document.end_reason ?? '',
    originalPriceKind: document.original_price_kind ?? '',
    ...live,
  })
}

// Maximum length of `description` in lists, in code points. The response for a single listing has the full description.
const maxListedDescription = 160

/**
 * Converts a document to an API listing with a shortened description, for lists. `picturesOrigin` is the origin of the
 * picture URLs. Throws if an enum field, such as the condition or the status, has an unknown value.
 */
export function toListingView(
  document: ListingDocument,
  live: LiveListing,
  picturesOrigin: string | undefined,
): ListingView {
  const { version: _, category_id: id, category_name: name, category_slug: slug, ...shown } = document
  const pictures = document.pictures ?? document.image_urls.map((url) => ({ url, alt: null }))
  const urls = document.image_urls.map((reference) => expandPicture(reference, picturesOrigin))
  return {
    ...shown,
    description: beginningOf(document.description),
    category_id: id,
    category: { id, name, slug },
    condition: Condition.parse(document.condition),
    current_bid: live.currentBid,
    buy_it_now_price: availableBuyNowPrice(document.buy_it_now_price, live.currentBid),
    is_active: live.isActive,
    view_count: live.viewCount,
    image_urls: JSON.stringify(urls),
    image_urls_parsed: urls,
    pictures: pictures.map((picture) => toPictureView(picture, picturesOrigin)),
    terms_version: document.terms_version ?? 1,
    status: shownStatus(document.status ?? 'active', live.isActive),
    reserved_until: document.reserved_until ?? null,
    ended_at: document.ended_at ?? null,
    end_reason: EndReason.parse(document.end_reason ?? null),
    original_price_kind: originalPriceKindOf(document),
  }
}

// Returns `ended` for an auction whose end has passed, even if the auction is not closed yet.
function shownStatus(status: string, isActive: boolean): ListingStatus {
  return status === 'active' && !isActive ? 'ended' : Status.parse(status)
}

// Returns `stated` for an original price without a kind, as in documents of an earlier version, and null if there is no
// original price.
function originalPriceKindOf({ original_price, original_price_kind }: ListingDocument): OriginalPriceKind | null {
  return OriginalPriceKind.parse(original_price_kind ?? (original_price === null ? null : 'stated'))
}

/** Returns the buy-it-now price in cents, or null if there is none or a bid has reached it. */
export function availableBuyNowPrice(buyItNow: number | null, currentBid: number | null): number | null {
  return buyItNow !== null && buyItNow > (currentBid ?? 0) ? buyItNow : null
}

// Returns the first `maxListedDescription` code points, each of which has at most two UTF-16 units.
function beginningOf(text: string): string {
  return Array.from(text.slice(0, 2 * maxListedDescription))
    .slice(0, maxListedDescription)
    .join('')
}

function toTimestamp(iso: string): Timestamp {
  return timestampFromDate(new Date(iso))
}

function toIso(time: Timestamp | undefined): string {
  if (!time) throw new Error('The listing has no creation or update time.')
  return timestampDate(time).toISOString()
}
