import { create } from '@bufbuild/protobuf'
import { SaleTermsSchema, type SaleTerms } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'
import type { Auction } from './auction.ts'

/** Returns the terms that the payments service stores with a sale: item, seller, the given price and shipping. */
export function toSaleTerms(auction: Auction, price: Cents): SaleTerms {
  return create(SaleTermsSchema, {
    listingId: auction.listingId,
    sellerId: auction.sellerId,
    priceCents: price,
    shippingCents: auction.shipping,
    title: auction.title,
    imageUrl: auction.imageUrl,
  })
}
