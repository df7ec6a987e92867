import { missing } from '@marketplace/kit/problem.ts'
import { isId } from '@marketplace/kit/ids.ts'
import type { Trx } from '../db.ts'
import { markMessagesRead } from '../message/messages.repo.ts'
import { isParticipant } from './conversations.repo.ts'

/** Marks what the other side wrote; the reader's own messages stay as they are for the other side. */
export async function markRead(trx: Trx, conversationId: string, readerId: string): Promise<void> {
  if (!isId(conversationId) || !(await isParticipant(trx, conversationId, readerId))) throw missing('conversation')
  await markMessagesRead(trx, conversationId, readerId)
}
