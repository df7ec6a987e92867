import { databaseTime } from '@marketplace/kit/db/db.ts'
import { missing, unauthenticated } from '@marketplace/kit/errors/problem.ts'
import { requireContact } from '../block/require-contact.ts'
import { lockConversation } from '../conversation/conversations.repo.ts'
import type { Trx } from '../db.ts'
import { isErased } from '../personal-data/erased-users.repo.ts'
import type { Message, MessageDraft } from './message.ts'
import { recordReplyTime } from '../reply-time/replies.repo.ts'
import { insertMessage } from './messages.repo.ts'
import { countMessages, lockSender } from './quotas.repo.ts'
import { checkMessages, type Quotas } from './quotas.ts'

/**
 * Adds a message to a conversation. Throws:
 * - `unauthenticated` (401) if the sender's account was erased,
 * - `missing` (404) if the sender is not a participant,
 * - `blocked` (403) if one participant has blocked the other,
 * - `too_many_messages` (409) if the sender's daily quota is used up.
 */
export async function sendMessage(trx: Trx, draft: MessageDraft, quotas: Quotas): Promise<Message> {
  await lockSender(trx, draft.senderId)
  if (await isErased(trx, draft.senderId)) throw unauthenticated()
  const conversation = await lockConversation(trx, draft.conversationId, draft.senderId)
  if (!conversation) throw missing('conversation')
  await requireContact(trx, conversation)
  const message = await insertMessage(trx, draft, await databaseTime(trx))
  await recordReplyTime(trx, { ...draft, sellerId: conversation.sellerId, createdAt: message.createdAt })
  checkMessages(await countMessages(trx, draft.senderId, quotas.MAX_MESSAGES_PER_DAY + 1), quotas)
  return message
}
