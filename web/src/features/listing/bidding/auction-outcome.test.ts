import { expect, it } from 'vitest'
import type { Auction } from '../../../api/client/types.ts'
import { outcomeText } from './auction-outcome.ts'

const auction: Auction = {
  listing_id: '019a0000-0000-7000-8000-000000000000',
  state: 'ended',
  auction_end_date: '2025-11-20T12:00:00.000Z',
  starting_bid: 1000,
  current_bid: 4000,
  minimum_bid: 4001,
  bid_count: 1,
  leading_bid_id: null,
  outcome: 'won',
  final_price: 4000,
  number: 2,
  bids: [{ id: 'b', amount: 4000, is_winning: true, created_at: '2025-11-20T11:00:00.000Z', bidder: 'a***e' }],
  server_time: '2025-11-20T12:01:00.000Z',
  you: null,
}

const as = (standing: 'none' | 'won' | 'lost', best: number | null = null) => ({
  you: { standing, best_bid: best, bid_id: null },
})

it.each([
  ['a visitor', {}, false, 'It sold for $40.00.'],
  ['a watcher', as('none'), false, 'It sold for $40.00.'],
  ['a loser', as('lost', 3800), false, 'It sold for $40.00. Your highest bid was $38.00.'],
  ['a winner', as('won', 4000), false, 'You won this auction for $40.00.'],
  ['the seller', as('none'), true, 'Sold to a***e for $40.00.'],
  ['a loser after an unpaid win', { ...as('lost', 3800), final_price: null }, false, 'Your highest bid was $38.00.'],
  ['a loser after Buy It Now', { ...as('lost', 3800), outcome: 'buy_now' }, false, 'Your highest bid was $38.00.'],
  [
    'the seller without bids',
    { ...as('none'), outcome: 'no_sale', final_price: null },
    true,
    'Your auction ended without bids.',
  ],
  ['a visitor without bids', { outcome: 'no_sale', final_price: null }, false, ''],
  ['a bidder before the outcome', { ...as('none'), outcome: null, final_price: null }, false, ''],
] as const)('STAND-03 tells %s the outcome', (_who, changes, isOwner, text) => {
  expect(outcomeText({ ...auction, ...changes }, isOwner)).toBe(text)
})
