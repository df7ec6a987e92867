import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/** Returns whether one of the two members has blocked the other one. */
export async function isBlockedEitherWay(trx: Trx, memberId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql<{ isBlocked: boolean }>`
    select exists (
      select from blocks where is_blocked
        and (blocker_id, blocked_id) in ((${memberId}::uuid, ${otherId}::uuid), (${otherId}::uuid, ${memberId}::uuid))
    ) as "isBlocked"`.execute(trx)
  return rows[0]?.isBlocked === true
}
