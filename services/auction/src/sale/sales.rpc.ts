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
import { transaction } from '@marketplace/kit/db.ts'
import { isId } from '@marketplace/kit/ids.ts'
import { invalid } from '@marketplace/kit/problem.ts'
import { logEndings } from '../auction/close-auctions.ts'
import { termsOf } from '../auction/terms.ts'
import type { Context } from '../context.ts'
import type { Hold, HoldAnswer, HoldAsk, HoldRefusal } from './hold.ts'
import { holdItem } from './hold-item.ts'
import { settleSale, type SaleNotice } from './settle-sale.ts'

const refusals: Record<HoldRefusal, MessageInitShape<typeof RefusedSchema>> = {
  missing: { kind: RefusalKind.MISSING, code: 'not_found', message: 'There is nothing to pay for here.' },
  own_listing: { kind: RefusalKind.FORBIDDEN, code: 'own_listing', message: 'You cannot buy your own listing.' },
  not_buyable: { kind: RefusalKind.CONFLICT, code: 'not_buyable', message: 'This item has no Buy It Now price.' },
  already_paid: { kind: RefusalKind.CONFLICT, code: 'already_paid', message: 'This item is paid already.' },
  reserved: { kind: RefusalKind.CONFLICT, code: 'reserved', message: 'Somebody else is buying this item right now.' },
  auction_ended: { kind: RefusalKind.CONFLICT, code: 'auction_ended', message: 'This auction has ended.' },
  sale_over: { kind: RefusalKind.CONFLICT, code: 'sale_over', message: 'This checkout is over. Please start again.' },
}

const heldTypes: Record<Hold['saleType'], SaleType> = {
  auction_win: SaleType.AUCTION_WIN,
  buy_now: SaleType.BUY_NOW,
}

export function salesRpc(ctx: Context): (router: ConnectRouter) => void {
  return (router) => {
    router.service(SalesService, {
      async hold({ saleId, listingId, buyerId, saleType }) {
        const type = saleTypeOf(saleType)
        if (!isId(listingId)) return toResponse({ kind: 'refused', refusal: 'missing' })
        if (!isId(saleId) || !isId(buyerId)) throw invalid('sale_id', 'Must be the ids of a sale and a buyer')
        return toResponse(await holdItem(ctx, { saleId, listingId, buyerId, saleType: type }))
      },
      async settle({ saleId, listingId, outcome }) {
        if (!isId(saleId) || !isId(listingId)) throw invalid('sale_id', 'Must be the ids of a sale and its listing')
        const notice = { saleId, listingId, end: endOf(outcome) }
        const { closings } = await transaction(ctx.db, (trx) => settleSale(trx, notice, ctx.settings.WIN_DUE_MS))
        logEndings(ctx, { closings, settling: [] })
        return {}
      },
    })
  }
}

function toResponse(answer: HoldAnswer): HoldResponse {
  if (answer.kind === 'refused') {
    return create(HoldResponseSchema, { answer: { case: 'refused', value: refusals[answer.refusal] } })
  }
  const { auction, hold } = answer
  const held = {
    saleId: hold.saleId,
    saleType: heldTypes[hold.saleType],
    terms: termsOf(auction, hold.price),
    dueAt: hold.dueAt === null ? undefined : timestampFromDate(hold.dueAt),
  }
  return create(HoldResponseSchema, { answer: { case: 'held', value: held } })
}

function saleTypeOf(type: SaleType): HoldAsk['saleType'] {
  if (type === SaleType.BUY_NOW) return 'buy_now'
  if (type === SaleType.AUCTION_WIN) return 'auction_win'
  if (type === SaleType.OFFER_ACCEPTED) return 'offer_accepted'
  throw invalid('sale_type', 'Must be a known type of sale')
}

function endOf(outcome: SettleOutcome): SaleNotice['end'] {
  if (outcome === SettleOutcome.SOLD) return 'sold'
  if (outcome === SettleOutcome.RELEASED) return 'released'
  throw invalid('outcome', 'Must be a known outcome')
}
