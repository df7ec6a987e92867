import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteExpiredStrikes } from './strikes.repo.ts'

let harness: Harness

// No service is started, because its sweep would delete the strikes too.
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

describe('an old strike', () => {
  it('is deleted after a year, and neither earlier nor in larger batches than 1000', async () => {
    const { userId } = randomUser()
    const insert = (count: number, age: string) =>
      harness.rows(
        `insert into strikes (sale_id, user_id, struck_at)
         select uuidv7(), $1, now() - $3::text::interval from generate_series(1, $2::int)`,
        [userId, count, age],
      )
    await insert(1, '365 days')
    await insert(1, '364 days 23 hours 59 minutes')
    await insert(1000, '400 days')
    expect(await deleteExpiredStrikes(harness.first.ctx.db)).toBe(1000)
    expect(await deleteExpiredStrikes(harness.first.ctx.db)).toBe(1)
    expect(await deleteExpiredStrikes(harness.first.ctx.db)).toBe(0)
    expect(await harness.rows('select 1 from strikes where user_id = $1', [userId])).toHaveLength(1)
  })
})
