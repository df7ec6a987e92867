import { expect, it } from 'vitest'
import { emptyDraft } from '../draft.ts'
import { pricesOf } from './prices-of.ts'

const auction = { ...emptyDraft, isAuction: true, shippingCost: '1.50' }

it.each([
  ['one cent above the starting bid', { ...auction, startingBid: '0.48' }, [49], 150],
  ['the buy-it-now price too', { ...auction, startingBid: '1', buyItNowPrice: '20' }, [101, 2_000], 150],
  ['the fixed price', { ...emptyDraft, price: '0.10' }, [10], 0],
  ['nothing before a price is typed', { ...emptyDraft, shippingCost: '' }, [], 0],
])('returns %s', (_case, draft, prices, shipping) => {
  expect(pricesOf(draft)).toEqual({ prices, shipping })
})
