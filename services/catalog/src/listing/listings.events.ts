import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  ListingChangedSchema,
  ListingCreatedSchema,
  ListingSchema,
  type Listing as ListingMessage,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import type { Listing } from './listing.ts'

export function listingCreated(listing: Listing): OutgoingEvent<typeof ListingCreatedSchema> {
  const { id: key, version } = listing
  return { topic: topics.catalog, key, version, schema: ListingCreatedSchema, message: { listing: toMessage(listing) } }
}

/** Builds the event of a change. It carries the complete listing, not the difference. */
export function listingChanged(listing: Listing): OutgoingEvent<typeof ListingChangedSchema> {
  const { id: key, version } = listing
  return { topic: topics.catalog, key, version, schema: ListingChangedSchema, message: { listing: toMessage(listing) } }
}

export function toMessage(listing: Listing): ListingMessage {
  return create(ListingSchema, {
    id: listing.id,
    sellerId: listing.sellerId,
    title: listing.title,
    description: listing.description,
    categoryId: listing.category.id,
    categoryName: listing.category.name,
    categorySlug: listing.category.slug,
    condition: listing.condition,
    isAuction: listing.isAuction,
    priceCents: listing.price,
    startingBidCents: listing.startingBid ?? undefined,
    buyItNowCents: listing.buyItNow ?? undefined,
    auctionEndAt: listing.endsAt ? timestampFromDate(listing.endsAt) : undefined,
    shippingCents: listing.shipping,
    location: listing.location,
    isActive: listing.isActive,
    acceptOffers: listing.acceptOffers,
    isOnSale: listing.isOnSale,
    originalPriceCents: listing.originalPrice ?? undefined,
    viewCount: listing.viewCount,
    imageUrls: [...listing.imageUrls],
    createdAt: timestampFromDate(listing.createdAt),
    updatedAt: timestampFromDate(listing.updatedAt),
    version: BigInt(listing.version),
  })
}
