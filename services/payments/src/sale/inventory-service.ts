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
import { conflict, DomainError, forbidden } from '@marketplace/kit/errors/problem.ts'
import { responseOr, responseOr503, rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import type { PaymentsSettings } from '../config.ts'
import { saleTypeFromProto, saleTypeToProto, toSaleTerms } from './sale-mapping.ts'
import type { InventoryService, Sale, SaleTerms, SaleType } from './sale.ts'

export type HoldRequest = Pick<Sale, 'id' | 'listingId' | 'buyerId' | 'type' | 'inventoryService' | 'listingVersion'>

/**
 * Hold granted by the inventory service. `saleId` is the id of the buyer's existing sale of the item or, if there is
 * none, of the requested sale.
 */
export interface HoldGrant {
  saleId: string
  type: SaleType
  terms: SaleTerms
  dueAt: Date | null
}

export interface HoldRejection {
  kind: 'rejected'
  error: DomainError
}
export type HoldResult = { kind: 'held'; grant: HoldGrant } | HoldRejection

/** Client of the inventory services, catalog and auction, which decide whether an item is available. */
export interface InventoryClient {
  /** Requests a hold. Throws `unavailable` (503) on a transient error or when the deadline passes. */
  hold(request: HoldRequest): Promise<HoldResult>
  /**
   * Notifies the inventory service that a sale was paid or released. Transient errors are ignored, because an event
   * with the same data follows.
   */
  settle(sale: Sale): Promise<void>
}

type InventorySettings = Pick<
  PaymentsSettings,
  'CATALOG_INTERNAL_URL' | 'AUCTION_INTERNAL_URL' | 'INTERNAL_SECRET' | 'HOLD_TIMEOUT_MS' | 'SETTLE_TIMEOUT_MS'
>

export function createInventoryClient(settings: InventorySettings): InventoryClient {
  const clients: Record<InventoryService, Client<typeof SalesService>> = {
    catalog: rpcClient(SalesService, settings.CATALOG_INTERNAL_URL, settings.INTERNAL_SECRET),
    auction: rpcClient(SalesService, settings.AUCTION_INTERNAL_URL, settings.INTERNAL_SECRET),
  }
  return {
    async hold(request) {
      const call = clients[request.inventoryService].hold(toHoldRequest(request), {
        timeoutMs: settings.HOLD_TIMEOUT_MS,
      })
      return toHoldResult(await responseOr503(call, 'This item'))
    },
    async settle({ id, listingId, inventoryService, state, reason }) {
      const outcome = state === 'paid' ? SettleOutcome.SOLD : SettleOutcome.RELEASED
      const request = { saleId: id, listingId, outcome, reason: reason ?? '' }
      await responseOr(clients[inventoryService].settle(request, { timeoutMs: settings.SETTLE_TIMEOUT_MS }), undefined)
    },
  }
}

function toHoldRequest({ id, listingId, buyerId, type, listingVersion }: HoldRequest) {
  const request = { saleId: id, listingId, buyerId, saleType: saleTypeToProto[type] }
  return create(HoldRequestSchema, listingVersion === null ? request : { ...request, listingVersion })
}

function toHoldResult({ answer }: HoldResponse): HoldResult {
  if (answer.case === 'held') return { kind: 'held', grant: toHoldGrant(answer.value) }
  if (answer.case === 'refused') return { kind: 'rejected', error: toDomainError(answer.value) }
  throw new Error('The inventory service returned neither a hold nor a rejection.')
}

function toHoldGrant({ saleId, saleType, terms, dueAt }: Held): HoldGrant {
  return {
    saleId,
    type: saleTypeFromProto(saleType),
    terms: toSaleTerms(terms),
    dueAt: dueAt ? timestampDate(dueAt) : null,
  }
}

function toDomainError({ kind, code, message }: Refused): DomainError {
  if (kind === RefusalKind.MISSING) return new DomainError('missing', code, message)
  return kind === RefusalKind.FORBIDDEN ? forbidden(code, message) : conflict(code, message)
}
