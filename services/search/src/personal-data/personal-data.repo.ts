import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export async function listSearchesOf(trx: Trx, userId: string): Promise<{ term: string; searchedAt: string }[]> {
  const { rows } = await sql<{ term: string; at: Date }>`
    select term, searched_at as at from searches where user_id = ${userId} order by searched_at`.execute(trx)
  return rows.map(({ term, at }) => ({ term, searchedAt: at.toISOString() }))
}

export async function deleteSearchesOf(trx: Trx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from searches where user_id = ${userId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
