import type { JsonValue } from '@bufbuild/protobuf'
import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Pair } from '@marketplace/kit/blocks/block-projection.ts'
import type { Db, Trx } from '../db.ts'
import type { Reply } from './reply-time.ts'

export interface SentMessage {
  conversationId: string
  senderId: string
  sellerId: string
  createdAt: Date
}

/**
 * Updates the seller's reply times, each measured from the buyer's first unanswered message to the seller's next
 * message. The caller must have locked the conversation.
 */
export async function recordReplyTime(trx: Trx, message: SentMessage): Promise<void> {
  const { conversationId, senderId, sellerId, createdAt } = message
  if (senderId === sellerId) {
    await trx
      .updateTable('replies')
      .set({ replied_at: createdAt })
      .where('conversation_id', '=', conversationId)
      .where('replied_at', 'is', null)
      .execute()
  } else {
    await trx
      .insertInto('replies')
      .values({ conversation_id: conversationId, received_at: createdAt, seller_id: sellerId, replied_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

const ageMs = 90 * 24 * 3_600_000
const maxReplies = 50

/** Returns up to 50 reply times of a seller from the last 90 days, newest first, including messages without a reply. */
export async function listReplies(db: Db, sellerId: string): Promise<Reply[]> {
  const { rows } = await sql<Reply>`
    select received_at as "receivedAt", replied_at as "repliedAt" from replies
    where seller_id = ${sellerId} and received_at > statement_timestamp() - make_interval(secs => ${ageMs / 1000})
    order by received_at desc limit ${maxReplies}`.execute(db)
  return rows
}

/** Returns all reply times of a seller, oldest first, for an export of personal data. */
export async function collectReplies(trx: Trx, sellerId: string): Promise<JsonValue> {
  const { rows } = await sql<{ found: JsonValue }>`
    select coalesce(json_agg(json_build_object('receivedAt', received_at, 'repliedAt', replied_at) order by received_at), '[]') as found
    from replies where seller_id = ${sellerId}`.execute(trx)
  return rows[0]?.found ?? []
}

export async function deleteRepliesOfSeller(trx: Trx, sellerId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('replies').where('seller_id', '=', sellerId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes the messages without a reply between the members of each pair. The caller must hold the pairs' locks. */
export async function deleteUnansweredBetween(trx: Trx, pairs: readonly Pair[]): Promise<void> {
  // Either member of a pair can be the buyer.
  const buyers = pairs.flat()
  const sellers = pairs.flatMap(([one, other]) => [other, one])
  await sql`
    delete from replies where replied_at is null and conversation_id in (
      select c.id from unnest(${buyers}::uuid[], ${sellers}::uuid[]) as side (buyer_id, seller_id)
      join conversations c using (buyer_id, seller_id)
    )`.execute(trx)
}

const deletionBatchSize = 1000

/**
 * Deletes a batch of reply times of messages that were received more than 90 days ago. Returns the number of deleted
 * rows.
 */
export function deleteOldReplies(db: Db): Promise<number> {
  return deleteExpired(db, { table: 'replies', time: 'received_at', ageMs, limit: deletionBatchSize })
}
