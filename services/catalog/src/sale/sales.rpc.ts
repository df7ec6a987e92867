import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter } from '@connectrpc/connect'
import {
  HoldResponseSchema,
  RefusalKind,
  SalesService,
  SaleType,
  SettleOutcome,
  type HoldRequest,
  type HoldResponse,
  type RefusedSchema,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { transaction } from '@marketplace/kit/db.ts'
import { isId } from '@marketplace/kit/ids.ts'
import { invalid } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import type { HoldAnswer, HoldAsk, HoldRefusal } from './hold.ts'
import { holdItem } from './hold-item.ts'
import { toTerms } from './sale-terms.ts'
import { markSold, release, type SettledSale } from './settle-sale.ts'

const refusals: Record<HoldRefusal, MessageInitShape<typeof RefusedSchema>> = {
  missing: { kind: RefusalKind.MISSING, code: 'not_found', message: 'There is nothing to pay for here.' },
  own_listing: { kind: RefusalKind.FORBIDDEN, code: 'own_listing', message: 'You cannot buy your own listing.' },
  wrong_kind: { kind: RefusalKind.CONFLICT, code: 'wrong_kind', message: 'This item is sold by auction.' },
  inactive: { kind: RefusalKind.CONFLICT, code: 'inactive', message: 'This item is no longer for sale.' },
  sold: { kind: RefusalKind.CONFLICT, code: 'sold', message: 'This item is sold.' },
  already_paid: { kind: RefusalKind.CONFLICT, code: 'already_paid', message: 'You have paid for this item already.' },
  reserved: { kind: RefusalKind.CONFLICT, code: 'reserved', message: 'This item is reserved for another buyer.' },
  sale_over: { kind: RefusalKind.CONFLICT, code: 'sale_over', message: 'This checkout is over. Please start again.' },
}

export function salesRpc(ctx: Context): (router: ConnectRouter) => void {
  return (router) => {
    router.service(SalesService, {
      async hold(request) {
        const ask = toAsk(request)
        return isId(ask.listingId) ? toResponse(await holdItem(ctx, ask)) : toResponse(unknown)
      },
      async settle({ saleId, listingId, outcome }) {
        requireIds({ sale_id: saleId, listing_id: listingId })
        const settle = settlementFor(outcome)
        await transaction(ctx.db, (trx) => settle(trx, { saleId, listingId }))
        return {}
      },
    })
  }
}

const unknown = { kind: 'refused', refusal: 'missing' } as const

function toAsk({ saleId, listingId, buyerId, saleType }: HoldRequest): HoldAsk {
  requireIds({ sale_id: saleId, buyer_id: buyerId })
  return { saleId, listingId, buyerId, saleType: saleTypeOf(saleType) }
}

function toResponse(answer: HoldAnswer): HoldResponse {
  if (answer.kind === 'refused') {
    return create(HoldResponseSchema, { answer: { case: 'refused', value: refusals[answer.refusal] } })
  }
  const { saleId, terms, offer } = answer.hold
  const held = {
    saleId,
    saleType: offer ? SaleType.OFFER_ACCEPTED : SaleType.BUY_NOW,
    terms: toTerms(terms),
    dueAt: offer ? timestampFromDate(offer.dueAt) : undefined,
  }
  return create(HoldResponseSchema, { answer: { case: 'held', value: held } })
}

function saleTypeOf(type: SaleType): HoldAsk['saleType'] {
  if (type === SaleType.BUY_NOW) return 'buy_now'
  if (type === SaleType.AUCTION_WIN) return 'auction_win'
  if (type === SaleType.OFFER_ACCEPTED) return 'offer_accepted'
  throw invalid('sale_type', 'Must be a known type of sale')
}

function settlementFor(outcome: SettleOutcome): (trx: Trx, sale: SettledSale) => Promise<unknown> {
  if (outcome === SettleOutcome.SOLD) return markSold
  if (outcome === SettleOutcome.RELEASED) return release
  throw invalid('outcome', 'Must be a known outcome')
}

function requireIds(ids: Record<string, string>): void {
  for (const [field, id] of Object.entries(ids)) if (!isId(id)) throw invalid(field, 'Must be an id')
}
