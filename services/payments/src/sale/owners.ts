import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import {
  HoldRequestSchema,
  RefusalKind,
  SalesService,
  SettleOutcome,
  type Held,
  type HoldResponse,
  type Refused,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { conflict, DomainError, forbidden } from '@marketplace/kit/problem.ts'
import { answerOr, answerOr503, rpcClient } from '@marketplace/kit/rpc.ts'
import type { PaymentsSettings } from '../config.ts'
import { saleTypeFrom, saleTypeInProto, toOfferedTerms } from './contract.ts'
import type { OfferedTerms, Sale, SaleOwner, SaleType } from './sale.ts'

export type HoldAsk = Pick<Sale, 'id' | 'listingId' | 'buyerId' | 'type' | 'owner'>

/** What an owner granted; another id than the asked one is a sale that this buyer already has. */
export interface Grant {
  saleId: string
  type: SaleType
  terms: OfferedTerms
  dueAt: Date | null
}

export type HoldAnswer = { kind: 'held'; grant: Grant } | { kind: 'refused'; problem: DomainError }

/** The services that decide whether an item is still for sale. */
export interface Owners {
  /** Rejects as unavailable when there is no answer in time. */
  hold(ask: HoldAsk): Promise<HoldAnswer>
  /** Tells sooner what the event tells as well; no answer is no harm. */
  settle(sale: Sale): Promise<void>
}

type OwnersSettings = Pick<
  PaymentsSettings,
  'CATALOG_INTERNAL_URL' | 'AUCTION_INTERNAL_URL' | 'INTERNAL_SECRET' | 'HOLD_TIMEOUT_MS' | 'SETTLE_TIMEOUT_MS'
>

export function openOwners(settings: OwnersSettings): Owners {
  const clients: Record<SaleOwner, Client<typeof SalesService>> = {
    catalog: rpcClient(SalesService, settings.CATALOG_INTERNAL_URL, settings.INTERNAL_SECRET),
    auction: rpcClient(SalesService, settings.AUCTION_INTERNAL_URL, settings.INTERNAL_SECRET),
  }
  return {
    async hold(ask) {
      const call = clients[ask.owner].hold(toHoldRequest(ask), { timeoutMs: settings.HOLD_TIMEOUT_MS })
      return toAnswer(await answerOr503(call, 'This item'))
    },
    async settle({ id, listingId, owner, state, reason }) {
      const outcome = state === 'paid' ? SettleOutcome.SOLD : SettleOutcome.RELEASED
      const notice = { saleId: id, listingId, outcome, reason: reason ?? '' }
      await answerOr(clients[owner].settle(notice, { timeoutMs: settings.SETTLE_TIMEOUT_MS }), undefined)
    },
  }
}

function toHoldRequest({ id, listingId, buyerId, type }: HoldAsk) {
  return create(HoldRequestSchema, { saleId: id, listingId, buyerId, saleType: saleTypeInProto[type] })
}

function toAnswer({ answer }: HoldResponse): HoldAnswer {
  if (answer.case === 'held') return { kind: 'held', grant: toGrant(answer.value) }
  if (answer.case === 'refused') return { kind: 'refused', problem: toProblem(answer.value) }
  throw new Error('An owner answered neither held nor refused.')
}

function toGrant({ saleId, saleType, terms, dueAt }: Held): Grant {
  return {
    saleId,
    type: saleTypeFrom(saleType),
    terms: toOfferedTerms(terms),
    dueAt: dueAt ? timestampDate(dueAt) : null,
  }
}

function toProblem({ kind, code, message }: Refused): DomainError {
  if (kind === RefusalKind.MISSING) return new DomainError('missing', code, message)
  return kind === RefusalKind.FORBIDDEN ? forbidden(code, message) : conflict(code, message)
}
