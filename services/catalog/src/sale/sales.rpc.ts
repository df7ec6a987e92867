import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter } from '@connectrpc/connect'
import {
  HoldResponseSchema,
  RefusalKind,
  SalesService,
  SaleType,
  SettleOutcome,
  type HoldRequest as HoldRequestMessage,
  type HoldResponse,
  type RefusedSchema,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import type { HoldRejection, HoldRequest, HoldResult } from './hold.ts'
import { holdItem } from './hold-item.ts'
import { listingChangedMessage } from '../listing/life/life-errors.ts'
import { toSaleTerms } from './sale-terms.ts'
import { markSold, releaseHolds } from './settle-sales.ts'
import type { SaleRef } from './settlement.ts'

const rejections: Record<HoldRejection, MessageInitShape<typeof RefusedSchema>> = {
  missing: {
    kind: RefusalKind.MISSING,
    code: 'not_found',
    message: 'This item does not exist or is not available to you.',
  },
  own_listing: { kind: RefusalKind.FORBIDDEN, code: 'own_listing', message: 'You cannot buy your own listing.' },
  seller_unavailable: {
    kind: RefusalKind.FORBIDDEN,
    code: 'seller_unavailable',
    message: "This seller isn't available to you.",
  },
  wrong_kind: { kind: RefusalKind.CONFLICT, code: 'wrong_kind', message: 'This item is sold by auction.' },
  inactive: { kind: RefusalKind.CONFLICT, code: 'inactive', message: 'This item is no longer available.' },
  sold: { kind: RefusalKind.CONFLICT, code: 'sold', message: 'This item has been sold.' },
  already_paid: { kind: RefusalKind.CONFLICT, code: 'already_paid', message: 'You have paid for this item already.' },
  reserved: { kind: RefusalKind.CONFLICT, code: 'reserved', message: 'This item is reserved for another buyer.' },
  listing_changed: { kind: RefusalKind.CONFLICT, code: 'listing_changed', message: listingChangedMessage },
  sale_over: { kind: RefusalKind.CONFLICT, code: 'sale_over', message: 'This checkout has ended. Please start again.' },
}

export function salesRpc(router: ConnectRouter, ctx: Context): void {
  router.service(SalesService, {
    async hold(message) {
      const request = toHoldRequest(message)
      if (!isId(request.listingId)) return toResponse({ kind: 'rejected', reason: 'missing' })
      return toResponse(await holdItem(ctx, request))
    },
    async settle({ saleId, listingId, outcome }) {
      requireIds({ sale_id: saleId, listing_id: listingId })
      const settle = settlementOf(outcome)
      await transaction(ctx.db, (trx) => settle(trx, [{ saleId, listingId }]))
      return {}
    },
  })
}

function toHoldRequest({ saleId, listingId, buyerId, saleType, listingVersion }: HoldRequestMessage): HoldRequest {
  requireIds({ sale_id: saleId, buyer_id: buyerId })
  return { saleId, listingId, buyerId, saleType: toSaleType(saleType), listingVersion: listingVersion ?? null }
}

function toResponse(result: HoldResult): HoldResponse {
  if (result.kind === 'rejected') {
    return create(HoldResponseSchema, { answer: { case: 'refused', value: rejections[result.reason] } })
  }
  const { saleId, terms, offer } = result.hold
  const held = {
    saleId,
    saleType: offer ? SaleType.OFFER_ACCEPTED : SaleType.BUY_NOW,
    terms: toSaleTerms(terms),
    dueAt: offer ? timestampFromDate(offer.dueAt) : undefined,
  }
  return create(HoldResponseSchema, { answer: { case: 'held', value: held } })
}

function toSaleType(type: SaleType): HoldRequest['saleType'] {
  if (type === SaleType.BUY_NOW) return 'buy_now'
  if (type === SaleType.AUCTION_WIN) return 'auction_win'
  if (type === SaleType.OFFER_ACCEPTED) return 'offer_accepted'
  throw invalid('sale_type', 'Must be a known type of sale')
}

function settlementOf(outcome: SettleOutcome): (trx: Trx, sales: readonly SaleRef[]) => Promise<unknown> {
  if (outcome === SettleOutcome.SOLD) return markSold
  if (outcome === SettleOutcome.RELEASED) return releaseHolds
  throw invalid('outcome', 'Must be a known outcome')
}

function requireIds(ids: Record<string, string>): void {
  for (const [field, id] of Object.entries(ids)) if (!isId(id)) throw invalid(field, 'Must be an id')
}
