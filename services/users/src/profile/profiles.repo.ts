import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

export interface MemberProfile {
  id: string
  name: string
  picture: string | null
  /** Year and month (in UTC) of the member's first sign-in, for example "2026-03". */
  memberSince: string
  sales: number
}

/** Returns a member's profile; undefined if there is no such member or the account was erased. */
export async function findProfile(db: Db, id: string): Promise<MemberProfile | undefined> {
  const { rows } = await sql<MemberProfile>`
    select id, name, picture, to_char(created_at at time zone 'utc', 'YYYY-MM') as "memberSince", coalesce(sales, 0) as sales
    from accounts left join sale_counts on user_id = id
    where id = ${id} and provider <> 'erased'`.execute(db)
  return rows[0]
}

/** Adds one sale for each seller id. An id that occurs several times adds several sales. Skips erased accounts. */
export async function addSales(trx: Trx, sellerIds: readonly string[]): Promise<void> {
  // The accounts are locked in id order, so that concurrent transactions cannot deadlock. The locks also block a
  // concurrent erasure of these accounts.
  await sql`
    with sold as (
      select id, count(*) as sales from unnest(${[...sellerIds]}::uuid[]) as id group by id
    ), sellers as (
      select id from accounts where id in (select id from sold) and provider <> 'erased' order by id for no key update
    )
    insert into sale_counts (user_id, sales) select id, sales from sellers join sold using (id) order by id
    on conflict (user_id) do update set sales = sale_counts.sales + excluded.sales`.execute(trx)
}

/** Deletes the row that counts a member's sales. Returns the number of deleted rows: 0 or 1. */
export async function deleteSaleCount(trx: Trx, userId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('sale_counts').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}
