import type { PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import type { SearchTables } from '../db.ts'
import { deleteSearchesOf, listSearchesOf } from './personal-data.repo.ts'

/** The search history of a user. Their listings are updated by catalog's events. */
export const personalData: PersonalData<SearchTables> = {
  findOpenPayments: async () => [],
  collect: async (trx, userId) => ({ searches: await listSearchesOf(trx, userId) }),
  erase: async (trx, userId) => ({ searches: await deleteSearchesOf(trx, userId) }),
}
