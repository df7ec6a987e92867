import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { Preferences } from './preferences.ts'

export function findPreferences(db: Db, accountId: string): Promise<Preferences | undefined> {
  return db
    .selectFrom('notification_preferences')
    .select(['deals', 'offers'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export function upsertPreferences(trx: Trx, accountId: string, { deals, offers }: Preferences): Promise<Preferences> {
  return trx
    .insertInto('notification_preferences')
    .values({ account_id: accountId, deals, offers })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ deals, offers, updated_at: sql`clock_timestamp()` }),
    )
    .returning(['deals', 'offers'])
    .executeTakeFirstOrThrow()
}
