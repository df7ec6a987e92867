import type { Db as KitDb, Trx as KitTrx } from '@marketplace/kit/db/db.ts'
import type { StaffActionsTable } from '@marketplace/kit/staff-actions/staff-actions.ts'
import type { Generated, Selectable } from 'kysely'
import type { Account, JournalKind } from './ledger/ledger.ts'
import type { RefundOrigin, RefundState } from './refund/refund.ts'
import type { ReleaseReason, InventoryService, SaleState, SaleType } from './sale/sale.ts'

interface TransactionsTable {
  id: string
  listing_id: string
  buyer_id: string
  transaction_type: SaleType
  owner: InventoryService
  state: SaleState
  seller_id: string | null
  listing_title: string | null
  listing_image_url: string | null
  terms_version: number | null
  sale_price: number | null
  shipping_cost: number | null
  transaction_fee: number | null
  fee_basis_points: Generated<number>
  seller_amount: number | null
  amount: number | null
  intent_id: string | null
  payment_method: string | null
  reason: ReleaseReason | null
  version: Generated<number>
  faults: Generated<number>
  expires_at: Date
  asked_at: Date | null
  next_at: Date | null
  refunded_cents: Generated<number>
  recheck_at: Date | null
  rechecks: Generated<number>
  charged_back_cents: Generated<number>
  is_disputed: Generated<boolean>
  mismatched_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface RefundsTable {
  id: string
  sale_id: string
  amount_cents: number
  origin: RefundOrigin
  state: RefundState
  provider_id: string | null
  stuck_at: Date | null
  attempts_allowed: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface DisputesTable {
  id: string
  sale_id: string
  amount_cents: number
  reason: string
  state: string
  charged_back_cents: Generated<number>
  due_by: Date | null
  changed_at: Date | null
  parked_at: Date | null
  closed_at: Date | null
  next_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface JournalsTable {
  id: string
  sale_id: string
  kind: JournalKind
  subject: Generated<string>
  provider_ref: Generated<string | null>
  recorded_at: Generated<Date>
}

interface EntriesTable {
  journal_id: string
  line: number
  account: Account
  amount: number
}

interface WebhookEventsTable {
  id: string
  type: string
  intent_id: string
  sale_id: string | null
  received_at: Generated<Date>
  processed_at: Date | null
  next_at: Date | null
}

export interface PaymentsTables {
  transactions: TransactionsTable
  journals: JournalsTable
  entries: EntriesTable
  webhook_events: WebhookEventsTable
  refunds: RefundsTable
  disputes: DisputesTable
  staff_actions: StaffActionsTable
}

export type SaleRow = Selectable<TransactionsTable>
export type Db = KitDb<PaymentsTables>
export type Trx = KitTrx<PaymentsTables>
