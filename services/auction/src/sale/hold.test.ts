import { cents } from '@marketplace/kit/money.ts'
import { describe, expect, it } from 'vitest'
import type { Auction } from '../auction/auction.ts'
import { answerHold, type Hold, type HoldAsk } from './hold.ts'

const end = new Date('2025-11-03T12:00:00.000Z')
const before = new Date('2025-11-03T11:59:59.999Z')
const dueAt = new Date('2025-11-05T12:00:00.000Z')
const bid = { id: 'bid', bidderId: 'alice', amount: cents(12_000) }
const open: Auction = {
  listingId: 'watch',
  sellerId: 'olive',
  title: 'A watch',
  imageUrl: '',
  startingBid: cents(10_000),
  shipping: cents(450),
  buyItNow: cents(50_000),
  endAt: end,
  state: 'open',
  lead: bid,
  bidCount: 1,
  number: 1,
}
const settling: Auction = { ...open, state: 'settling', number: 2 }
const closed: Auction = { ...open, state: 'closed', number: 2 }
const bidUp = (amount: number): Auction => ({ ...open, lead: { ...bid, amount: cents(amount) } })

const base = { saleId: 'sale', listingId: 'watch', state: 'held' } as const
const won: Hold = { ...base, buyerId: 'alice', saleType: 'auction_win', price: bid.amount, dueAt }
const bobsCheckout: Hold = { ...base, buyerId: 'bob', saleType: 'buy_now', price: cents(50_000), dueAt: null }

const ask = (saleType: HoldAsk['saleType'], buyerId: string, saleId = 'sale'): HoldAsk => ({
  saleId,
  listingId: 'watch',
  buyerId,
  saleType,
})

type Case = [string, Auction, Hold | undefined, HoldAsk, string]

describe('a win', () => {
  it('is answered to the one who has it', () => {
    const answer = answerHold(closed, { live: won, isReleased: false }, ask('auction_win', 'alice'), end)
    expect(answer).toEqual({ kind: 'held', auction: closed, hold: won, isNew: false })
  })

  const refused: Case[] = [
    ['asked for by somebody else', closed, won, ask('auction_win', 'bob'), 'missing'],
    ['asked for by the seller', closed, won, ask('auction_win', 'olive'), 'missing'],
    ['of an open auction, even asked for by its leader', open, undefined, ask('auction_win', 'alice'), 'missing'],
    ['that has lapsed or never was', closed, undefined, ask('auction_win', 'alice'), 'missing'],
    ['asked for by who is buying at once', open, bobsCheckout, ask('auction_win', 'bob'), 'missing'],
    ['that is paid', closed, { ...won, state: 'sold' }, ask('auction_win', 'alice'), 'already_paid'],
    ['that is paid, by somebody else', closed, { ...won, state: 'sold' }, ask('auction_win', 'bob'), 'missing'],
    ['asked for as an offer, which auctions do not take', closed, won, ask('offer_accepted', 'alice'), 'missing'],
  ]
  it.each(refused)('is refused when %s', (_case, ...[auction, live, asked, refusal]) => {
    expect(answerHold(auction, { live, isReleased: false }, asked, end)).toEqual({ kind: 'refused', refusal })
  })
})

describe('buying at once', () => {
  it.each([
    ['with no bid', { ...open, lead: null, bidCount: 0 }],
    ['a cent below its price', bidUp(49_999)],
  ])('holds an open auction %s at its price', (_case, auction) => {
    const answer = answerHold(auction, { live: undefined, isReleased: false }, ask('buy_now', 'bob'), before)
    expect(answer).toEqual({ kind: 'held', auction, hold: bobsCheckout, isNew: true })
  })

  it.each([
    ['while it is open', open, before],
    ['after a bid reached its price', bidUp(60_000), before],
    ['after the end, until payments has settled it', settling, end],
  ])('answers an open checkout to its buyer again %s, also under another sale', (_case, auction, now) => {
    const known = { live: bobsCheckout, isReleased: false }
    const answer = { kind: 'held', auction, hold: bobsCheckout, isNew: false }
    expect(answerHold(auction, known, ask('buy_now', 'bob'), now)).toEqual(answer)
    expect(answerHold(auction, known, ask('buy_now', 'bob', 'another'), now)).toEqual(answer)
  })

  const bob = ask('buy_now', 'bob')
  const refused: [...Case, Date?][] = [
    ['the own listing', open, undefined, ask('buy_now', 'olive'), 'own_listing'],
    ['what another is buying', open, bobsCheckout, ask('buy_now', 'carol'), 'reserved'],
    ['what has no such price', { ...open, buyItNow: null }, undefined, bob, 'not_buyable'],
    ['what a bid has reached', bidUp(50_000), undefined, bob, 'not_buyable'],
    ['at the very end', open, undefined, bob, 'auction_ended', end],
    ['what is settling', settling, { ...bobsCheckout, buyerId: 'carol' }, bob, 'auction_ended', end],
    ['what was won', closed, won, bob, 'auction_ended'],
    ['what was won, by the winner', closed, won, ask('buy_now', 'alice'), 'auction_ended'],
    ['what was bought', closed, { ...bobsCheckout, state: 'sold' }, ask('buy_now', 'carol'), 'auction_ended'],
    ['what one has bought', closed, { ...bobsCheckout, state: 'sold' }, bob, 'already_paid'],
  ]
  it.each(refused)('refuses %s', (_case, ...[auction, live, asked, refusal, now = before]) => {
    expect(answerHold(auction, { live, isReleased: false }, asked, now)).toEqual({ kind: 'refused', refusal })
  })

  it('refuses a sale that has ended', () => {
    const answer = answerHold(open, { live: undefined, isReleased: true }, bob, before)
    expect(answer).toEqual({ kind: 'refused', refusal: 'sale_over' })
  })
})
