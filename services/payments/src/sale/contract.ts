import {
  Owner,
  SaleType as SaleTypeInProto,
  type SaleTerms,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { cents } from '@marketplace/kit/money.ts'
import type { OfferedTerms, SaleOwner, SaleType } from './sale.ts'

export const saleTypeInProto: Record<SaleType, SaleTypeInProto> = {
  buy_now: SaleTypeInProto.BUY_NOW,
  auction_win: SaleTypeInProto.AUCTION_WIN,
  offer_accepted: SaleTypeInProto.OFFER_ACCEPTED,
}

export const ownerInProto: Record<SaleOwner, Owner> = { catalog: Owner.CATALOG, auction: Owner.AUCTION }

export function ownerFrom(owner: Owner): SaleOwner {
  if (owner === Owner.CATALOG) return 'catalog'
  if (owner === Owner.AUCTION) return 'auction'
  throw new Error(`Not an owner of items: ${owner}.`)
}

export function saleTypeFrom(type: SaleTypeInProto): SaleType {
  if (type === SaleTypeInProto.BUY_NOW) return 'buy_now'
  if (type === SaleTypeInProto.AUCTION_WIN) return 'auction_win'
  if (type === SaleTypeInProto.OFFER_ACCEPTED) return 'offer_accepted'
  throw new Error(`Not a type of sale: ${type}.`)
}

export function toOfferedTerms(terms: SaleTerms | undefined): OfferedTerms {
  if (terms === undefined) throw new Error('The terms of a sale are missing.')
  return {
    sellerId: terms.sellerId,
    title: terms.title,
    imageUrl: terms.imageUrl || null,
    price: cents(terms.priceCents),
    shipping: cents(terms.shippingCents),
  }
}
