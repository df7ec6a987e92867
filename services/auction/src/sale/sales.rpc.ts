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
import { isId } from '@marketplace/kit/ids.ts'
import { invalid } from '@marketplace/kit/problem.ts'
import { termsOf } from '../auction/terms.ts'
import type { Context } from '../context.ts'
import type { HoldAnswer, HoldAsk, HoldRefusal } from './hold.ts'
import { holdItem } from './hold-item.ts'
import { settleHold } from './holds.repo.ts'

const refusals: Record<HoldRefusal, MessageInitShape<typeof RefusedSchema>> = {
  missing: { kind: RefusalKind.MISSING, code: 'not_found', message: 'There is nothing to pay for here.' },
  own_listing: { kind: RefusalKind.FORBIDDEN, code: 'own_listing', message: 'You cannot buy your own listing.' },
  not_buyable: { kind: RefusalKind.CONFLICT, code: 'not_buyable', message: 'This item is sold by auction.' },
  already_paid: { kind: RefusalKind.CONFLICT, code: 'already_paid', message: 'This item is paid already.' },
}

export function salesRpc(ctx: Context): (router: ConnectRouter) => void {
  return (router) => {
    router.service(SalesService, {
      async hold({ listingId, buyerId, saleType }) {
        const type = saleTypeOf(saleType)
        if (!isId(listingId)) return toResponse({ kind: 'refused', refusal: 'missing' })
        return toResponse(await holdItem(ctx, listingId, { buyerId, saleType: type }))
      },
      async settle({ saleId, outcome }) {
        if (!isId(saleId)) throw invalid('sale_id', 'Must be a sale id')
        await settleHold(ctx.db, saleId, settledState(outcome))
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
    saleType: SaleType.AUCTION_WIN,
    terms: termsOf(auction, hold.price),
    dueAt: timestampFromDate(hold.dueAt),
  }
  return create(HoldResponseSchema, { answer: { case: 'held', value: held } })
}

function saleTypeOf(type: SaleType): HoldAsk['saleType'] {
  if (type === SaleType.BUY_NOW) return 'buy_now'
  if (type === SaleType.AUCTION_WIN) return 'auction_win'
  if (type === SaleType.OFFER_ACCEPTED) return 'offer_accepted'
  throw invalid('sale_type', 'Must be a known type of sale')
}

function settledState(outcome: SettleOutcome): 'sold' | 'released' {
  if (outcome === SettleOutcome.SOLD) return 'sold'
  if (outcome === SettleOutcome.RELEASED) return 'released'
  throw invalid('outcome', 'Must be a known outcome')
}
