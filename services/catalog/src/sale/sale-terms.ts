import { create } from '@bufbuild/protobuf'
import {
  SaleTermsSchema,
  type SaleTerms as SaleTermsMessage,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import type { SaleTerms } from './hold.ts'

export function toSaleTerms({ price, shipping, ...terms }: SaleTerms): SaleTermsMessage {
  return create(SaleTermsSchema, { ...terms, priceCents: price, shippingCents: shipping })
}
