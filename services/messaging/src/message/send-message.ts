import { databaseTime } from '@marketplace/kit/db/db.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { lockConversation } from '../conversation/conversations.repo.ts'
import type { Trx } from '../db.ts'
import type { Message, MessageDraft } from './message.ts'
import { insertMessage } from './messages.repo.ts'

/** Adds a message of a participant; throws `missing` (404) for other users. */
export async function sendMessage(trx: Trx, draft: MessageDraft): Promise<Message> {
  if (!(await lockConversation(trx, draft.conversationId, draft.senderId))) throw missing('conversation')
  return insertMessage(trx, draft, await databaseTime(trx))
}
