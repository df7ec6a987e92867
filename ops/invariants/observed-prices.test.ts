import { describe, expect, it } from 'vitest'
import type { JournalEntry } from './journal.ts'
import { findOrderViolations } from './observed-prices.ts'

const saw = (startedAt: number, bidCount: number, currentBid: number, isStale = false): JournalEntry => ({
  kind: 'saw',
  listingId: 'l1',
  bidCount,
  currentBid,
  isStale,
  startedAt,
  endedAt: startedAt + 10,
})
const bid = (startedAt: number, endsAt: number): JournalEntry => ({
  kind: 'bid',
  id: 'b1',
  listingId: 'l1',
  amount: 300,
  currentBid: 300,
  bidCount: 3,
  endsAt,
  startedAt,
  endedAt: startedAt + 10,
})
const invariantsIn = (journal: JournalEntry[]) => findOrderViolations(journal).map(({ invariant }) => invariant)

describe('prices and bids in a journal', () => {
  it.each<[string, JournalEntry[]]>([
    ['a price that rises', [saw(0, 1, 100), bid(20, 1000), saw(40, 3, 300)]],
    ['an older price requested before the response with the newer one', [saw(0, 2, 200), saw(5, 1, 100)]],
    ['an older price marked as stale', [saw(0, 2, 200), saw(20, 1, 100, true)]],
    ['a bid just at the end', [bid(1000, 1000)]],
  ])('are in order with %s', (_what, journal) => {
    expect(invariantsIn(journal)).toEqual([])
  })

  it.each<[string, JournalEntry[]]>([
    ['a price that falls', [saw(0, 2, 200), saw(20, 1, 100)]],
    ['a price that falls behind an acknowledged bid', [bid(0, 1000), saw(20, 2, 200)]],
    ['the same bids at a lower price', [saw(0, 2, 200), saw(20, 2, 150)]],
  ])('violate an invariant with %s', (_what, journal) => {
    expect(invariantsIn(journal)).toEqual(['no current bid goes down'])
  })

  it('violate an invariant with a bid accepted after the end', () => {
    expect(invariantsIn([bid(1100, 1000)])).toEqual(['nothing is accepted after the end'])
  })
})
