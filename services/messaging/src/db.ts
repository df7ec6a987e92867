import type * as kit from '@marketplace/kit/db/db.ts'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface MessagingTables {
  conversations: {
    id: string
    listing_id: string
    listing_title: string
    buyer_id: string
    seller_id: string
    created_at: Generated<Date>
    /** Time of the latest message. A database trigger sets the column with each new message. */
    last_at: GeneratedAlways<Date | null>
  }
  messages: {
    id: string
    seq: GeneratedAlways<number>
    conversation_id: string
    sender_id: string
    message_text: string
    created_at: Date
    read_at: Date | null
  }
  blocks: {
    blocker_id: string
    blocked_id: string
    is_blocked: boolean
    number: number
    changed_at: Generated<Date>
  }
  replies: {
    conversation_id: string
    received_at: Date
    seller_id: string
    replied_at: Date | null
  }
  erased_users: {
    user_id: string
  }
  paid_sales: {
    sale_id: string
    listing_id: string
    buyer_id: string
    paid_at: ColumnType<Date, string>
  }
  assistant_budget: {
    is_only_row: Generated<boolean>
    started_at: Date
    calls: number
  }
}

export type Db = kit.Db<MessagingTables>
export type Trx = kit.Trx<MessagingTables>
