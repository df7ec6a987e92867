import { transaction } from '@marketplace/kit/db/db.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { searchSettings } from '../config.ts'
import { personalData } from '../personal-data/personal-data.ts'
import { createHarness, type Harness, type RequestOptions } from '../testing/harness.ts'

let harness: Harness

const alice = randomUser('Alice')
const bob = randomUser('Bob')

beforeAll(async () => {
  harness = await createHarness()
})
beforeEach(async () => {
  await harness.query('truncate searches, search_counts, address_counts')
})
afterAll(() => harness.close())

async function track(search_term: string, searcher: RequestOptions, result_count = 1): Promise<void> {
  const body = { search_term, session_id: 's1', result_count }
  const response = await harness.request('POST', '/api/search/track', { body, ...searcher })
  expect(response.json()).toEqual({ tracked: true })
}

async function rowsOf(table: 'searches' | 'search_counts' | 'address_counts'): Promise<unknown> {
  const [row] = await harness.query(`select count(*)::int as count from ${table}`)
  return row?.['count']
}

describe('trending terms of one member', () => {
  // Fails if recordSearch writes `address_counts` for networks only.
  it('L15 count once an hour, also after 100 other terms have replaced them in the history', async () => {
    await track('lamp', { as: alice })
    for (let n = 0; n < 100; n++) await track(`other ${n}`, { as: alice }, 0)
    expect(await harness.query(`select 1 from searches where term_key = 'lamp'`)).toEqual([])
    await track('lamp', { as: alice })
    expect(await rowsOf('search_counts')).toBe(1)
    await harness.query(`update address_counts set counted_at = counted_at - interval '1 hour'`)
    await harness.query(`update searches set counted_at = counted_at - interval '1 hour'`)
    await track('lamp', { as: alice })
    expect(await rowsOf('search_counts')).toBe(2)
  })

  it('leave no trace of the member after the erasure of personal data', async () => {
    for (const as of [alice, bob]) await track('lamp', { as })
    expect(await rowsOf('address_counts')).toBe(2)
    await transaction(harness.db, (trx) => personalData.erase(trx, alice.userId))
    expect([await rowsOf('address_counts'), await rowsOf('searches')]).toEqual([1, 1])
  })
})

describe('trending terms of one member or network', () => {
  const max = searchSettings.shape.MAX_COUNTED_TERMS_PER_HOUR.parse(undefined)
  const terms = Array.from({ length: max + 30 }, (_, n) => `term ${n}`)
  const from = (address: string): RequestOptions => ({ headers: { 'x-forwarded-for': address } })

  // Fails without lockCounts in recordSearch.
  it('R14 are at most 60 an hour by default, also from concurrent requests', async () => {
    expect([max, harness.settings.MAX_COUNTED_TERMS_PER_HOUR]).toEqual([60, 60])
    const searchers: RequestOptions[] = [{ as: alice }, from('203.0.113.7')]
    for (const searcher of searchers) {
      await harness.query('truncate searches, search_counts, address_counts')
      await Promise.all(terms.map((term) => track(term, searcher)))
      expect([await rowsOf('search_counts'), await rowsOf('address_counts')]).toEqual([max, max])
      expect(await rowsOf('searches')).toBe(terms.length)
    }
    await track('lamp', { as: bob })
    await track('lamp', from('203.0.113.8'))
    expect(await rowsOf('search_counts')).toBe(max + 2)
  })

  it('R14 count again an hour later', async () => {
    for (const term of terms) await track(term, from('203.0.113.7'))
    expect(await rowsOf('search_counts')).toBe(max)
    await harness.query(`update address_counts set counted_at = counted_at - interval '1 hour'`)
    await track('lamp', from('203.0.113.7'))
    expect(await rowsOf('search_counts')).toBe(max + 1)
  })
})
