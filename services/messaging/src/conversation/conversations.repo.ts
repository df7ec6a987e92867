import { instantText, isAfter } from '@marketplace/kit/db/time-order.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Participants } from '../block/require-contact.ts'
import type { Db, Trx } from '../db.ts'
import {
  maxUnreadCount,
  type Conversation,
  type ConversationDraft,
  type ConversationPosition,
  type ListedConversation,
} from './conversation.ts'

interface ConversationsRead {
  /** Position of the last conversation on the previous page; null for the first page. */
  after: ConversationPosition | null
  rows: number
}

/** Creates a conversation unless the buyer already has one about the listing. Returns whether it was created. */
export async function insertConversation(trx: Trx, draft: ConversationDraft): Promise<boolean> {
  const { listingId, listingTitle, buyerId, sellerId } = draft
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('conversations')
    .values({
      id: newId(),
      listing_id: listingId,
      listing_title: listingTitle,
      buyer_id: buyerId,
      seller_id: sellerId,
    })
    .onConflict((conflict) => conflict.columns(['listing_id', 'buyer_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Returns the draft of the buyer's conversation about the listing, or undefined if there is no conversation. */
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

export async function isParticipant(db: Db | Trx, id: string, userId: string): Promise<boolean> {
  const conversation = await participantQuery(db, id, userId).executeTakeFirst()
  return conversation !== undefined
}

/** Locks the conversation and returns its participants, or returns undefined if the user is not a participant. */
export function lockConversation(trx: Trx, id: string, userId: string): Promise<Participants | undefined> {
  return participantQuery(trx, id, userId)
    .select(['listing_id as listingId', 'buyer_id as buyerId', 'seller_id as sellerId'])
    .forUpdate()
    .executeTakeFirst()
}

function participantQuery(db: Db | Trx, id: string, userId: string) {
  return db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', id)
    .where((either) => either.or([either('buyer_id', '=', userId), either('seller_id', '=', userId)]))
}

/** Reads the user's conversations that follow the position `after`, latest message first. */
export function listConversations(db: Db, userId: string, { after, rows }: ConversationsRead) {
  const position = after && { at: after.lastAt, id: after.id }
  const side = (column: 'buyer_id' | 'seller_id') => sql`
    (select id, last_at from conversations where ${sql.ref(column)} = ${userId} and last_at is not null and ${isAfter(['last_at', 'id'], position)}
    order by last_at desc, id desc limit ${rows})`
  const ids = sql`
    select id from (${side('buyer_id')} union all ${side('seller_id')}) as own
    order by last_at desc, id desc limit ${rows}`
  return selectConversations(db, userId, ids)
}

export async function findConversation(db: Db | Trx, id: string, userId: string): Promise<Conversation | undefined> {
  const ids = sql`select id from conversations where id = ${id} and ${userId} in (buyer_id, seller_id)`
  const [conversation] = await selectConversations(db, userId, ids)
  return conversation
}

async function selectConversations(
  db: Db | Trx,
  userId: string,
  ids: RawBuilder<unknown>,
): Promise<ListedConversation[]> {
  const { rows } = await sql<ListedConversation>`
    select conversations.id, listing_id as "listingId", listing_title as "listingTitle", others.id as "otherUserId",
      latest.message_text as "lastMessage", latest.created_at as "lastMessageAt",
      ${instantText('last_at')} as "lastAt",
      (select count(*)::int from (
        select from messages
        where conversation_id = conversations.id and sender_id = others.id and read_at is null limit ${maxUnreadCount}
      ) as unread) as "unreadCount"
    from (${ids}) as page
    join conversations using (id)
    cross join lateral (select case when buyer_id = ${userId} then seller_id else buyer_id end as id) as others
    cross join lateral (
      select message_text, created_at from messages where conversation_id = conversations.id order by seq desc limit 1
    ) as latest
    order by last_at desc, conversations.id desc`.execute(db)
  return rows
}
