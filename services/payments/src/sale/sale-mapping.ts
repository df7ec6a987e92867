import {
  Owner,
  SaleType as SaleTypeInProto,
  type SaleTerms as SaleTermsInProto,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import type { InventoryService, SaleTerms, SaleType } from './sale.ts'

export const saleTypeToProto: Record<SaleType, SaleTypeInProto> = {
  buy_now: SaleTypeInProto.BUY_NOW,
  auction_win: SaleTypeInProto.AUCTION_WIN,
  offer_accepted: SaleTypeInProto.OFFER_ACCEPTED,
}

export const inventoryServiceToProto: Record<InventoryService, Owner> = {
  catalog: Owner.CATALOG,
  auction: Owner.AUCTION,
}

/** Returns the inventory service for its value in events. Returns null for a service that only later versions know. */
export function inventoryServiceFromProto(service: Owner): InventoryService | null {
  if (service === Owner.CATALOG) return 'catalog'
  return service === Owner.AUCTION ? 'auction' : null
}

export function saleTypeFromProto(type: SaleTypeInProto): SaleType {
  if (type === SaleTypeInProto.BUY_NOW) return 'buy_now'
  if (type === SaleTypeInProto.AUCTION_WIN) return 'auction_win'
  if (type === SaleTypeInProto.OFFER_ACCEPTED) return 'offer_accepted'
  throw new Error(`Unknown sale type: ${type}.`)
}

export function toSaleTerms(terms: SaleTermsInProto | undefined): SaleTerms {
  if (terms === undefined) throw new Error('The terms of a sale are missing.')
  return {
    sellerId: terms.sellerId,
    title: terms.title,
    imageUrl: terms.imageUrl || null,
    price: cents(terms.priceCents),
    shipping: cents(terms.shippingCents),
    // Defaults to 1, because the auction service and earlier service versions send no terms version.
    termsVersion: terms.termsVersion || 1,
  }
}
