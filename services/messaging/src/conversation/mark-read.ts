import { missing } from '@marketplace/kit/errors/problem.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import type { Trx } from '../db.ts'
import { markMessagesRead } from '../message/messages.repo.ts'
import { lockConversation } from './conversations.repo.ts'

/**
 * Marks the other participant's messages as read. Throws `missing` (404) if the user is not a participant. Locks the
 * conversation, as the erasure of a participant does: both update many of its messages, which could otherwise deadlock.
 */
export async function markRead(trx: Trx, conversationId: string, readerId: string): Promise<void> {
  if (!isId(conversationId) || !(await lockConversation(trx, conversationId, readerId))) throw missing('conversation')
  await markMessagesRead(trx, conversationId, readerId)
}
