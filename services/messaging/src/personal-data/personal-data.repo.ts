import type { JsonValue } from '@bufbuild/protobuf'
import { erasedTitle } from '@marketplace/kit/personal-data/erased.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export async function collectConversations(trx: Trx, userId: string): Promise<JsonValue> {
  const { rows } = await sql<{ found: JsonValue }>`
    select coalesce(json_agg(json_build_object(
      'listingId', c.listing_id, 'listingTitle', c.listing_title, 'startedAt', c.created_at,
      'role', case when c.buyer_id = ${userId} then 'buyer' else 'seller' end,
      'written', (
        select coalesce(json_agg(json_build_object('text', message_text, 'at', created_at) order by seq), '[]')
        from messages where conversation_id = c.id and sender_id = ${userId}
      )) order by c.created_at), '[]') as found
    from conversations c where ${userId} in (c.buyer_id, c.seller_id)`.execute(trx)
  return rows[0]?.found ?? []
}

/**
 * Locks the user's conversations, as a message does before it changes a conversation's other rows. Locking in id order
 * prevents deadlocks.
 */
export async function lockConversationsOfUser(trx: Trx, userId: string): Promise<void> {
  await sql`
    select from conversations where id in (
      select id from conversations where buyer_id = ${userId} union all select id from conversations where seller_id = ${userId}
    ) order by id for update`.execute(trx)
}

export async function anonymizeMessages(trx: Trx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update messages set message_text = 'This message was erased with its sender.'
    where sender_id = ${userId} and conversation_id in (
      select id from conversations where buyer_id = ${userId} union all select id from conversations where seller_id = ${userId}
    )`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export async function anonymizeConversations(trx: Trx, sellerId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update conversations set listing_title = ${erasedTitle} where seller_id = ${sellerId}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
