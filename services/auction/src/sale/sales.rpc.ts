import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter } from '@connectrpc/connect'
import {
  HoldResponseSchema,
  RefusalKind,
  type RefusedSchema,
  SalesService,
  SaleType,
  SettleOutcome,
  type HoldResponse,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import { logClosingResult } from '../auction/close-auctions.ts'
import { toSaleTerms } from '../auction/sale-terms.ts'
import type { Context } from '../context.ts'
import type { Hold, HoldResult, HoldRequest, HoldRejection } from './hold.ts'
import { holdItem } from './hold-item.ts'
import { settleSales } from './settle-sales.ts'
import type { SettleRequest } from './settlement.ts'

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
  not_buyable: { kind: RefusalKind.CONFLICT, code: 'not_buyable', message: 'This item has no Buy It Now price.' },
  already_paid: { kind: RefusalKind.CONFLICT, code: 'already_paid', message: 'This item has already been paid for.' },
  reserved: { kind: RefusalKind.CONFLICT, code: 'reserved', message: 'Another buyer is checking out this item.' },
  auction_ended: { kind: RefusalKind.CONFLICT, code: 'auction_ended', message: 'This auction has ended.' },
  sale_over: { kind: RefusalKind.CONFLICT, code: 'sale_over', message: 'This checkout has ended. Please start again.' },
  listing_changed: {
    kind: RefusalKind.CONFLICT,
    code: 'listing_changed',
    message: 'The seller changed this listing. Review it before you buy.',
  },
}

const saleTypes: Record<Hold['saleType'], SaleType> = {
  auction_win: SaleType.AUCTION_WIN,
  buy_now: SaleType.BUY_NOW,
}

export function salesRpc(router: ConnectRouter, ctx: Context): void {
  router.service(SalesService, {
    async hold({ saleId, listingId, buyerId, saleType, listingVersion = null }) {
      const type = toSaleType(saleType)
      if (!isId(listingId)) return toResponse({ kind: 'rejected', reason: 'missing' })
      if (!isId(saleId) || !isId(buyerId)) throw invalid('sale_id', 'Must be the ids of a sale and a buyer')
      return toResponse(await holdItem(ctx, { saleId, listingId, buyerId, saleType: type, listingVersion }))
    },
    async settle({ saleId, listingId, outcome, reason }) {
      if (!isId(saleId) || !isId(listingId)) throw invalid('sale_id', 'Must be the ids of a sale and its listing')
      const request = { saleId, listingId, outcome: toOutcome(outcome), reason }
      const { closings } = await transaction(ctx.db, (trx) => settleSales(trx, [request], ctx.settings))
      logClosingResult(ctx, { closings, settling: [] })
      return {}
    },
  })
}

function toResponse(result: HoldResult): HoldResponse {
  if (result.kind === 'rejected') {
    return create(HoldResponseSchema, { answer: { case: 'refused', value: rejections[result.reason] } })
  }
  const { auction, hold } = result
  const held = {
    saleId: hold.saleId,
    saleType: saleTypes[hold.saleType],
    terms: toSaleTerms(auction, hold.price),
    dueAt: hold.dueAt === null ? undefined : timestampFromDate(hold.dueAt),
  }
  return create(HoldResponseSchema, { answer: { case: 'held', value: held } })
}

function toSaleType(type: SaleType): HoldRequest['saleType'] {
  if (type === SaleType.BUY_NOW) return 'buy_now'
  if (type === SaleType.AUCTION_WIN) return 'auction_win'
  if (type === SaleType.OFFER_ACCEPTED) return 'offer_accepted'
  throw invalid('sale_type', 'Must be a known type of sale')
}

function toOutcome(outcome: SettleOutcome): SettleRequest['outcome'] {
  if (outcome === SettleOutcome.SOLD) return 'sold'
  if (outcome === SettleOutcome.RELEASED) return 'released'
  throw invalid('outcome', 'Must be a known outcome')
}
