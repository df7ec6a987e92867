import { missing } from '@marketplace/kit/problem.ts'
import { isId } from '@marketplace/kit/ids.ts'
import type { Context } from '../context.ts'
import { markMessagesRead } from '../message/messages.repo.ts'
import { isParticipant } from './conversations.repo.ts'

/** Marks what the other side wrote; the reader's own messages stay as they are for the other side. */
export async function markRead({ db }: Context, conversationId: string, readerId: string): Promise<void> {
  if (!isId(conversationId) || !(await isParticipant(db, conversationId, readerId))) throw missing('conversation')
  await markMessagesRead(db, conversationId, readerId)
}
