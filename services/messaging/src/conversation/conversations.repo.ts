import { newId } from '@marketplace/kit/values/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { Conversation, ConversationDraft } from './conversation.ts'

/** Creates the conversation unless it exists. */
export async function insertConversation(trx: Trx, draft: ConversationDraft): Promise<void> {
  const { listingId, listingTitle, buyerId, sellerId } = draft
  await trx
    .insertInto('conversations')
    .values({
      id: newId(),
      listing_id: listingId,
      listing_title: listingTitle,
      buyer_id: buyerId,
      seller_id: sellerId,
    })
    .onConflict((conflict) => conflict.columns(['listing_id', 'buyer_id']).doNothing())
    .execute()
}

/** Returns this buyer's conversation about the listing with the values stored when it was created. */
export function findDraft(db: Db, listingId: string, buyerId: string): Promise<ConversationDraft | undefined> {
  return db
    .selectFrom('conversations')
    .select([
      'listing_id as listingId',
      'listing_title as listingTitle',
      'buyer_id as buyerId',
      'seller_id as sellerId',
    ])
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .executeTakeFirst()
}

export async function findConversationId(trx: Trx, listingId: string, buyerId: string): Promise<string | undefined> {
  const conversation = await trx
    .selectFrom('conversations')
    .select('id')
    .where('listing_id', '=', listingId)
    .where('buyer_id', '=', buyerId)
    .executeTakeFirst()
  return conversation?.id
}

/** Returns whether the user participates. Callers respond 404 otherwise. */
export async function isParticipant(db: Db | Trx, id: string, userId: string): Promise<boolean> {
  const conversation = await participantQuery(db, id, userId).executeTakeFirst()
  return conversation !== undefined
}

/** Locks the conversation; returns false when the user does not participate. */
export async function lockConversation(trx: Trx, id: string, userId: string): Promise<boolean> {
  const conversation = await participantQuery(trx, id, userId).forUpdate().executeTakeFirst()
  return conversation !== undefined
}

function participantQuery(db: Db | Trx, id: string, userId: string) {
  return db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', id)
    .where((either) => either.or([either('buyer_id', '=', userId), either('seller_id', '=', userId)]))
}

/** Lists a user's conversations, latest message first. */
export function listConversations(db: Db, userId: string): Promise<Conversation[]> {
  return selectConversations(db, userId, sql`true`)
}

export async function findConversation(trx: Trx, id: string, userId: string): Promise<Conversation | undefined> {
  const [conversation] = await selectConversations(trx, userId, sql`conversations.id = ${id}`)
  return conversation
}

async function selectConversations(
  db: Db | Trx,
  userId: string,
  condition: RawBuilder<unknown>,
): Promise<Conversation[]> {
  const { rows } = await sql<Conversation>`
    select conversations.id, listing_id as "listingId", listing_title as "listingTitle",
      case when buyer_id = ${userId} then seller_id else buyer_id end as "otherUserId",
      latest.message_text as "lastMessage", latest.created_at as "lastMessageAt",
      (select count(*)::int from messages
        where conversation_id = conversations.id and sender_id <> ${userId} and read_at is null) as "unreadCount"
    from conversations
    cross join lateral (
      select message_text, created_at, seq from messages
      where conversation_id = conversations.id order by seq desc limit 1
    ) as latest
    where (buyer_id = ${userId} or seller_id = ${userId}) and ${condition}
    order by latest.created_at desc, latest.seq desc`.execute(db)
  return rows
}
