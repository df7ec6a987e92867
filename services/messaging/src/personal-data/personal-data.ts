import { deleteBlocksOfMember } from '@marketplace/kit/blocks/block-projection.ts'
import type { PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import { deletePaidSalesOfBuyer, listPaidSales } from '../block/paid-sales.repo.ts'
import type { MessagingTables } from '../db.ts'
import { lockSender } from '../message/quotas.repo.ts'
import { collectReplies, deleteRepliesOfSeller } from '../reply-time/replies.repo.ts'
import { recordErasure } from './erased-users.repo.ts'
import {
  anonymizeConversations,
  anonymizeMessages,
  collectConversations,
  lockConversationsOfUser,
} from './personal-data.repo.ts'

/**
 * Exports and erases a user's messages and the stored titles of the user's listings, but not other people's messages.
 */
export const personalData: PersonalData<MessagingTables> = {
  findOpenPayments: async () => [],
  collect: async (trx, userId) => ({
    conversations: await collectConversations(trx, userId),
    paidSales: await listPaidSales(trx, userId),
    replyTimes: await collectReplies(trx, userId),
  }),
  async erase(trx, userId) {
    // Waits until running transactions have committed the user's messages, so that the erasure includes them.
    await lockSender(trx, userId)
    await recordErasure(trx, userId)
    await lockConversationsOfUser(trx, userId)
    return {
      messages: await anonymizeMessages(trx, userId),
      blocks: await deleteBlocksOfMember(trx, userId),
      'reply times': await deleteRepliesOfSeller(trx, userId),
      'paid sales': await deletePaidSalesOfBuyer(trx, userId),
      'conversations about their listings': await anonymizeConversations(trx, userId),
    }
  },
}
