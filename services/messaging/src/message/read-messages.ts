import { isId } from '@marketplace/kit/values/ids.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import { isParticipant } from '../conversation/conversations.repo.ts'
import type { Message } from './message.ts'
import { listMessages } from './messages.repo.ts'

export async function readMessages({ db }: Context, conversationId: string, readerId: string): Promise<Message[]> {
  if (!isId(conversationId) || !(await isParticipant(db, conversationId, readerId))) throw missing('conversation')
  return listMessages(db, conversationId)
}
