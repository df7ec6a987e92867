import { describe, expect, it } from 'vitest'
import type { Listing } from '../../api/types.ts'
import { emptyListing } from '../../rules/empty-listing.fixture.ts'
import { endingSoon, railsOf } from './rails.ts'

const now = Date.parse('2025-11-20T12:00:00Z')
const hour = 3_600_000

function listings(count: number, change: Partial<Listing>): Listing[] {
  return Array.from({ length: count }, (_, index) => ({ ...emptyListing, id: `${change.title}${index}`, ...change }))
}

const today = { title: 'today', created_at: new Date(now - hour).toISOString(), shipping_cost: 500 }
const old = { title: 'old', created_at: new Date(now - 25 * hour).toISOString(), shipping_cost: 0 }

describe('the rails of the home page', () => {
  it('show what is new today and what ships free, nothing twice', () => {
    const newest = [...listings(14, { ...today, shipping_cost: 0 }), ...listings(4, old)]
    const rails = railsOf(newest, [], now)
    expect(rails.newToday).toEqual(newest.slice(0, 12))
    expect(rails.freeShipping).toEqual(newest.slice(12))
  })

  it('leave out what ends soon and what is no longer for sale', () => {
    const newest = listings(6, today)
    expect(railsOf([...newest, ...listings(4, { ...old, is_active: false })], newest.slice(0, 1), now)).toEqual({
      newToday: newest.slice(1),
      freeShipping: [],
    })
  })

  it('are not there with fewer than four', () => {
    expect(railsOf([...listings(3, today), ...listings(3, old)], [], now)).toEqual({ newToday: [], freeShipping: [] })
  })

  it('count as ending soon only auctions that run', () => {
    const auction = { ...emptyListing, is_auction: true, auction_end_date: new Date(now + 1).toISOString() }
    const over = { ...auction, auction_end_date: new Date(now).toISOString() }
    expect(endingSoon([auction, over, emptyListing], now)).toEqual([auction])
  })
})
