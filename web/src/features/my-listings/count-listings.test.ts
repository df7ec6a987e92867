import { expect, it } from 'vitest'
import { emptyCard } from '../../rules/empty-listing.fixture.ts'
import { countListings } from './count-listings.ts'

const pages = { pageCount: 1, lastPageSize: 2 }
const items = [emptyCard, { ...emptyCard, id: '2', is_active: false }]

it.each([
  ['of all listings, not only those loaded', { total: '73', activeTotal: '60' }, ['73', '60', '13']],
  ['with a lower bound above 10,000', { total: '10000+', activeTotal: '1000' }, ['10000+', '1000', '9000+']],
  ['of the loaded listings without headers', { total: null, activeTotal: null }, ['2', '1', '1']],
])('MINE-02 returns the counts %s', (_case, totals, [Total, Active, Inactive]) => {
  expect(countListings({ ...pages, ...totals, items, corrected: null })).toEqual({ Total, Active, Inactive })
})

it('MINE-02 returns zeros when the listings failed to load', () => {
  expect(countListings(undefined)).toEqual({ Total: '0', Active: '0', Inactive: '0' })
})
