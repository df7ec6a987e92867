import { missing } from '@marketplace/kit/errors/problem.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import type { Context } from '../context.ts'
import type { Conversation } from './conversation.ts'
import { findConversation } from './conversations.repo.ts'

/** Returns one conversation. Throws `missing` (404) if the user is not a participant. */
export async function readConversation({ db }: Context, id: string, readerId: string): Promise<Conversation> {
  const conversation = isId(id) ? await findConversation(db, id, readerId) : undefined
  if (!conversation) throw missing('conversation')
  return conversation
}
