import type { PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import type { SearchTables } from '../db.ts'
import { deleteCountsOf } from '../history/searches.repo.ts'
import { deleteSearchesOf, listSearchesOf } from './personal-data.repo.ts'

/**
 * Exports and erases the search history of a user. The user's listings are removed from the index by events, which the
 * catalog service publishes when it erases the listings.
 */
export const personalData: PersonalData<SearchTables> = {
  findOpenPayments: async () => [],
  collect: async (trx, userId) => ({ searches: await listSearchesOf(trx, userId) }),
  async erase(trx, userId) {
    await deleteCountsOf(trx, userId)
    return { searches: await deleteSearchesOf(trx, userId) }
  },
}
