import type { PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import type { SearchTables } from '../db.ts'
import { deleteSearchesOf, listSearchesOf } from './personal-data.repo.ts'

/**
 * Exports and erases the search history of a user. The user's listings are not erased here, because the catalog service
 * publishes events when it erases them.
 */
export const personalData: PersonalData<SearchTables> = {
  findOpenPayments: async () => [],
  collect: async (trx, userId) => ({ searches: await listSearchesOf(trx, userId) }),
  erase: async (trx, userId) => ({ searches: await deleteSearchesOf(trx, userId) }),
}
