import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export async function insertKnownBuyers(trx: Trx, userIds: readonly string[]): Promise<void> {
  // Sorted, so that concurrent transactions with the same people cannot deadlock.
  const sorted = [...new Set(userIds)].toSorted()
  await sql`insert into known_buyers select unnest(${sorted}::uuid[]) on conflict do nothing`.execute(trx)
}
