import type { PersonalData } from '@marketplace/kit/personal-data-tasks.ts'
import type { SearchTables } from '../db.ts'
import { forgetSearchesOf, listSearchesOf } from './personal-data.repo.ts'

/** What search knows of a person: their history. Their listings follow catalog's events. */
export const personalData: PersonalData<SearchTables> = {
  findMoneyInFlight: async () => [],
  collect: async (trx, userId) => ({ searches: await listSearchesOf(trx, userId) }),
  erase: async (trx, userId) => ({ searches: await forgetSearchesOf(trx, userId) }),
}
