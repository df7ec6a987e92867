import { create } from '@bufbuild/protobuf'
import { SaleTermsSchema, type SaleTerms } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import type { Cents } from '@marketplace/kit/money.ts'
import type { Auction } from './auction.ts'

/** What an auction's item is sold for, as payments reads it. */
export function termsOf(auction: Auction, price: Cents): SaleTerms {
  return create(SaleTermsSchema, {
    listingId: auction.listingId,
    sellerId: auction.sellerId,
    priceCents: price,
    shippingCents: auction.shipping,
    title: auction.title,
    imageUrl: auction.imageUrl,
  })
}
