import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ListingSchema, type Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'

export type ListingChange = Partial<Listing>

let created = 0

/** Builds a lamp at $24.99. Each listing is created one second later than the previous one. */
export function makeListing(change: ListingChange = {}): Listing {
  const createdAt = timestampFromDate(new Date(Date.UTC(2026, 0, 1) + created++ * 1000))
  const listing = create(ListingSchema, {
    id: newId(),
    sellerId: newId(),
    title: 'A brass lamp',
    categoryId: 7,
    categoryName: 'Home Decor',
    categorySlug: 'home-decor',
    condition: 'good',
    priceCents: 2499,
    isActive: true,
    acceptOffers: true,
    createdAt,
    updatedAt: createdAt,
    version: 1n,
  })
  return { ...listing, ...change }
}

/** Returns the fields of an auction that ends in `seconds`. */
export function auctionEndingIn(seconds: number, startingBidCents = 2499): ListingChange {
  const auctionEndAt = timestampFromDate(new Date(Date.now() + seconds * 1000))
  return { isAuction: true, auctionEndAt, startingBidCents, priceCents: startingBidCents, acceptOffers: false }
}

/** A category other than the default of makeListing. */
export const watches = { categoryId: 5, categoryName: 'Watches', categorySlug: 'watches' }
