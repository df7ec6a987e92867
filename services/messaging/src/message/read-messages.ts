import { isId } from '@marketplace/kit/values/ids.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import { isParticipant } from '../conversation/conversations.repo.ts'
import type { ListedMessage, MessagesRead } from './message.ts'
import { listMessages } from './messages.repo.ts'

/**
 * Returns a page of messages, newest first. Throws `missing` (404) if the user is not a participant of the
 * conversation.
 */
export async function readMessages({ db }: Context, read: MessagesRead): Promise<ListedMessage[]> {
  const { conversationId, readerId } = read
  if (!isId(conversationId) || !(await isParticipant(db, conversationId, readerId))) throw missing('conversation')
  return listMessages(db, read)
}
