import type * as kit from '@marketplace/kit/db/db.ts'
import type { JWK } from 'jose'
import type { ColumnType, Generated } from 'kysely'

export interface UsersTables {
  accounts: {
    id: string
    provider: string
    subject: string
    email: string
    name: string
    picture: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  sessions: {
    id: string
    account_id: string
    created_at: Date
    expires_at: Date
    revoked_at: Date | null
    device: string | null
    last_used_at: Date | null
  }
  refresh_tokens: {
    hash: Buffer
    session_id: string
    expires_at: Date
    replaced_at: Date | null
  }
  notification_preferences: {
    account_id: string
    deals: boolean
    offers: boolean
    updated_at: Generated<Date>
  }
  blocks: {
    blocker_id: string
    blocked_id: string
    created_at: Generated<Date>
  }
  sale_counts: {
    user_id: string
    sales: number
  }
  used_logins: {
    id: string
    expires_at: Date
  }
  signing_keys: {
    id: string
    public_jwk: ColumnType<JWK, string, never>
    sealed: string
    signs_from: Date
  }
}

export type Db = kit.Db<UsersTables>
export type Trx = kit.Trx<UsersTables>
