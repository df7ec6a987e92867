import { sequentialScans } from '@marketplace/kit/db/query-plans.fixture.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { closePendingOffers } from '../offer/offers.repo.ts'
import {
  anonymizeListings,
  collectCatalogData,
  countHeldItems,
  eraseOtherData,
  erasePictures,
  lockListingsOfSeller,
} from './personal-data.repo.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

describe('a request about personal data', () => {
  it('reads no table of catalog as a whole', async () => {
    const userId = newId()
    const scans = await sequentialScans(harness.db, async (trx) => {
      await countHeldItems(trx, userId)
      await lockListingsOfSeller(trx, userId)
      await closePendingOffers(trx, userId)
      await collectCatalogData(trx, userId)
      await anonymizeListings(trx, userId, new Date())
      await erasePictures(trx, userId)
      await eraseOtherData(trx, userId, '00'.repeat(32))
    })
    expect(scans).toEqual([])
  })
})
