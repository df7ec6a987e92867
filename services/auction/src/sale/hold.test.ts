import { cents } from '@marketplace/kit/money.ts'
import { expect, it } from 'vitest'
import type { Auction } from '../auction/auction.ts'
import { answerHold, type Hold, type HoldAsk } from './hold.ts'

const dueAt = new Date('2025-11-05T12:00:00.000Z')
const bid = { id: 'bid', bidderId: 'alice', amount: cents(12_000) }
const closed: Auction = {
  listingId: 'watch',
  sellerId: 'olive',
  title: 'A watch',
  imageUrl: '',
  startingBid: cents(10_000),
  shipping: cents(450),
  buyItNow: cents(50_000),
  endAt: new Date('2025-11-03T12:00:00.000Z'),
  state: 'closed',
  lead: bid,
  bidCount: 1,
  number: 2,
}
const open: Auction = { ...closed, state: 'open', number: 1 }
const held: Hold = { saleId: 'sale', listingId: 'watch', buyerId: 'alice', price: bid.amount, dueAt, state: 'held' }

const win = (buyerId: string): HoldAsk => ({ buyerId, saleType: 'auction_win' })

it('answers the win to the one who has it', () => {
  expect(answerHold(closed, held, win('alice'))).toEqual({ kind: 'held', auction: closed, hold: held })
})

const refused: [string, Auction | undefined, Hold | undefined, HoldAsk, string][] = [
  ['a win asked for by somebody else', closed, held, win('bob'), 'missing'],
  ['a win asked for by the seller', closed, held, win('olive'), 'missing'],
  ['a win of an open auction, even by its leader', open, undefined, win('alice'), 'missing'],
  ['a win that has lapsed or never was', closed, undefined, win('alice'), 'missing'],
  ['a win of no auction', undefined, undefined, win('alice'), 'missing'],
  ['a win that is paid', closed, { ...held, state: 'sold' }, win('alice'), 'already_paid'],
  ['a paid win asked for by somebody else', closed, { ...held, state: 'sold' }, win('bob'), 'missing'],
  ['an offer, which auctions do not take', closed, held, { buyerId: 'alice', saleType: 'offer_accepted' }, 'missing'],
  ['buying at once', open, undefined, { buyerId: 'bob', saleType: 'buy_now' }, 'not_buyable'],
  ['buying what was won', closed, held, { buyerId: 'alice', saleType: 'buy_now' }, 'not_buyable'],
  ['buying the own listing', open, undefined, { buyerId: 'olive', saleType: 'buy_now' }, 'own_listing'],
  ['buying what is no auction', undefined, undefined, { buyerId: 'bob', saleType: 'buy_now' }, 'missing'],
]

it.each(refused)('refuses %s', (_case, ...[auction, hold, ask, refusal]) => {
  expect(answerHold(auction, hold, ask)).toEqual({ kind: 'refused', refusal })
})
