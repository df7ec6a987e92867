import { expect, it } from 'vitest'
import { ApiError } from '../../../api/client/http.ts'
import { bidRefusalText, farJumpOf } from './bid-refusal.ts'

function refusal(status: number, body: Record<string, unknown>): ApiError {
  return new ApiError(status, new Map(Object.entries(body)))
}

it.each([
  [{ code: 'not_chargeable', highest_bid: 95_238_094, error: 'Too much.' }, 'Too much.'],
  [{ code: 'exposure_limit', limit: 500_000, used: 1, error: 'Too much at once.' }, 'Too much at once.'],
  [{ code: 'bidding_suspended', until: '2025-12-03T12:00:00.000Z', error: 'Not yet.' }, 'Not yet.'],
  [{}, 'Failed to place bid'],
])('BID-05 shows for the response %j: %s', (body, text) => {
  expect(bidRefusalText(refusal(409, body))).toBe(text)
})

it('BID-05 shows a sentence of its own when the network fails', () => {
  expect(bidRefusalText(new Error('offline'))).toBe('Failed to place bid')
})

const jump = {
  code: 'confirmation_needed',
  amount: 125_000,
  current_bid: 5_000,
  shipping_cost: 450,
  transaction_fee: 6_250,
  total: 131_700,
}
const asked = { amount: 125_000, currentBid: 5_000, shipping: 450, fee: 6_250, total: 131_700 }

it.each([
  [jump, asked],
  [
    { ...jump, current_bid: null },
    { ...asked, currentBid: null },
  ],
  [
    { ...jump, shipping_cost: undefined, transaction_fee: undefined },
    { ...asked, shipping: null, fee: null },
  ],
  [{ ...jump, total: undefined }, null],
  [{ ...jump, code: 'bid_too_low' }, null],
])('reads the bid to confirm from %j', (body, expected) => {
  expect(farJumpOf(refusal(409, body))).toEqual(expected)
})

it('shows no error for a bid to confirm, and none before a bid', () => {
  expect(bidRefusalText(refusal(409, { ...jump, error: 'Confirm.' }))).toBeNull()
  expect(bidRefusalText(null)).toBeNull()
})
