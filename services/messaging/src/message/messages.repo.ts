import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { ListedMessage, Message, MessageDraft, MessagesRead } from './message.ts'

const columns = ['id', 'sender_id as senderId', 'message_text as text', 'created_at as createdAt'] as const

/**
 * Inserts a message. The caller must have locked the conversation, so that concurrent transactions commit their
 * messages in the order of `seq`.
 */
export function insertMessage(
  trx: Trx,
  { conversationId, senderId, text }: MessageDraft,
  createdAt: Date,
): Promise<Message> {
  return trx
    .insertInto('messages')
    .values({
      id: newId(),
      conversation_id: conversationId,
      sender_id: senderId,
      message_text: text,
      created_at: createdAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Reads messages of a conversation, newest first. */
export function listMessages(db: Db, { conversationId, before, rows }: MessagesRead): Promise<ListedMessage[]> {
  return db
    .selectFrom('messages')
    .select([...columns, 'seq'])
    .where('conversation_id', '=', conversationId)
    .$if(before !== null, (query) => query.where('seq', '<', before))
    .orderBy('seq', 'desc')
    .limit(rows)
    .execute()
}

export async function markMessagesRead(trx: Trx, conversationId: string, readerId: string): Promise<void> {
  await trx
    .updateTable('messages')
    .set({ read_at: sql`clock_timestamp()` })
    .where('conversation_id', '=', conversationId)
    .where('sender_id', '<>', readerId)
    .where('read_at', 'is', null)
    .execute()
}
