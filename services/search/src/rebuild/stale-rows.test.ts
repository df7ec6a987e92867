import { transaction } from '@marketplace/kit/db/db.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseNow } from '../listing/instant.repo.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteStale } from './stale-rows.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

// Fails if deleteStaleRows stops at the first batch that deletes fewer than 1,000 rows.
it('deletes all 2,500 stale rows except one that an event updates meanwhile', async () => {
  await harness.query('insert into views select uuidv7(), n from generate_series(1, 2500) as n')
  const [first] = await harness.query('select listing_id from views order by ctid limit 1')
  const since = await databaseNow(harness.db)
  const deletions: Promise<number>[] = []
  await transaction(harness.db, async (trx) => {
    await sql`
      update views set view_count = view_count + 1, told_at = clock_timestamp()
      where listing_id = ${first?.['listing_id']}`.execute(trx)
    deletions.push(deleteStale(harness.db, since))
    await waitForBlockedStatements(async (text) => (await sql.raw(text).execute(harness.db)).rows)
  })
  expect(await Promise.all(deletions)).toEqual([0])
  expect(await harness.query('select listing_id from views')).toEqual([first])
})
