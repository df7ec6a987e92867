// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it } from 'vitest'
import type { OwnBids } from '../../api/client/types.ts'
import { BidRow } from './BidRow.tsx'

const bids: OwnBids = {
  listing_id: 'l',
  state: 'open',
  auction_end_date: '2025-11-20T12:00:00.000Z',
  current_bid: 4000,
  final_price: null,
  title: 'Clock',
  image_url: '',
  you: { standing: 'lost', best_bid: 3800, bid_id: null },
}

afterEach(cleanup)

it.each([
  ['Current Bid', 'until the end', {}],
  ['Highest Bid', 'before the outcome is decided', { state: 'settling' }],
  ['Highest Bid', 'after an end without a sale to a bidder', { state: 'ended' }],
  ['Sold For', 'after a sale', { state: 'ended', final_price: 4000 }],
] as const)('MYBIDS-01 names the price of an auction %s %s', (name, _when, changes) => {
  render(<BidRow bids={{ ...bids, ...changes }} />, { wrapper: MemoryRouter })
  expect(screen.getByText(name).nextElementSibling?.textContent).toBe('$40.00')
})
