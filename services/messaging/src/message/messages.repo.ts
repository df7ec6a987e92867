import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { Message, MessageDraft } from './message.ts'

const columns = ['id', 'sender_id as senderId', 'message_text as text', 'created_at as createdAt'] as const

/** Inserts a message. The caller has locked the conversation, so sequence numbers follow the order of the messages. */
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

/** Lists all messages of a conversation, oldest first. */
export function listMessages(db: Db, conversationId: string): Promise<Message[]> {
  return db
    .selectFrom('messages')
    .select(columns)
    .where('conversation_id', '=', conversationId)
    .orderBy('seq')
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
