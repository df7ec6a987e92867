import type { PersonalData } from '@marketplace/kit/personal-data-tasks.ts'
import type { MessagingTables } from '../db.ts'
import { blankConversationsOf, blankMessagesOf, collectConversationsOf } from './personal-data.repo.ts'

/** What messaging knows of a person: what they wrote, and about which listings. The other side keeps its own words. */
export const personalData: PersonalData<MessagingTables> = {
  findMoneyInFlight: async () => [],
  collect: async (trx, userId) => ({ conversations: await collectConversationsOf(trx, userId) }),
  erase: async (trx, userId) => ({
    messages: await blankMessagesOf(trx, userId),
    'conversations about their listings': await blankConversationsOf(trx, userId),
  }),
}
