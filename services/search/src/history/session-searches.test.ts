import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteExcessSearches } from './searches.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const count = async (who: 'user_id' | 'session_id') => {
  const [row] = await harness.query(`select count(*)::int as count from searches where ${who} is not null`)
  return row?.['count']
}

describe('the searches of signed-out visitors', () => {
  it('are at most 500,000: the sweep deletes the oldest in batches, and none of a member', async () => {
    const max = harness.settings.MAX_SESSION_SEARCHES
    expect(max).toBe(500_000)
    await harness.query(
      `insert into searches (session_id, term_key, term, searched_at)
       select 's' || n, 'lamp', 'lamp', now() - n * interval '1 second' from generate_series(1, $1::int) as n`,
      [max + 1500],
    )
    await harness.query(
      `insert into searches (user_id, term_key, term, searched_at)
       select uuidv7(), 'lamp', 'lamp', now() - interval '30 days' from generate_series(1, 10)`,
    )
    expect(await deleteExcessSearches(harness.db, max)).toBe(1000)
    expect(await deleteExcessSearches(harness.db, max)).toBe(500)
    expect(await deleteExcessSearches(harness.db, max)).toBe(0)
    expect(await count('session_id')).toBe(max)
    expect(await count('user_id')).toBe(10)
    const [oldest] = await harness.query(`select max(substr(session_id, 2)::int)::int as n from searches`)
    expect(oldest?.['n']).toBe(max)
  })
})
