import { describe, expect, it } from 'vitest'
import type { CardListing } from '../../../api/client/types.ts'
import { emptyCard } from '../../../rules/empty-listing.fixture.ts'
import { endingSoon, buildRails } from './rails.ts'

const now = Date.parse('2025-11-20T12:00:00Z')
const hour = 3_600_000

function listings(count: number, change: Partial<CardListing>): CardListing[] {
  return Array.from({ length: count }, (_, index) => ({ ...emptyCard, id: `${change.title}${index}`, ...change }))
}

const today = { title: 'today', created_at: new Date(now - hour).toISOString(), shipping_cost: 500 }
const old = { title: 'old', created_at: new Date(now - 25 * hour).toISOString(), shipping_cost: 0 }

describe('the rails of the home page', () => {
  it('show new listings and listings with free shipping without duplicates', () => {
    const newest = [...listings(14, { ...today, shipping_cost: 0 }), ...listings(4, old)]
    const rails = buildRails(newest, [], now)
    expect(rails.newToday).toEqual(newest.slice(0, 12))
    expect(rails.freeShipping).toEqual(newest.slice(12))
  })

  it('omit listings that end soon or are no longer for sale', () => {
    const newest = listings(6, today)
    expect(buildRails([...newest, ...listings(4, { ...old, is_active: false })], newest.slice(0, 1), now)).toEqual({
      newToday: newest.slice(1),
      freeShipping: [],
    })
  })

  it('are empty with fewer than four listings', () => {
    expect(buildRails([...listings(3, today), ...listings(3, old)], [], now)).toEqual({
      newToday: [],
      freeShipping: [],
    })
  })

  it('treat only running auctions as ending soon', () => {
    const auction = { ...emptyCard, is_auction: true, auction_end_date: new Date(now + 1).toISOString() }
    const over = { ...auction, auction_end_date: new Date(now).toISOString() }
    expect(endingSoon([auction, over, emptyCard], now)).toEqual([auction])
  })
})
