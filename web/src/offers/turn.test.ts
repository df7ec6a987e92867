import { describe, expect, it } from 'vitest'
import type { Offer } from '../api/types.ts'
import { stateOf, turnOf } from './turn.ts'

const now = Date.parse('2025-11-20T12:00:00Z')
const offer: Offer = {
  id: 'o',
  listing_id: 'l',
  buyer_id: 'buyer',
  amount: 1200,
  message: null,
  status: 'pending',
  created_at: '2025-11-20T11:00:00Z',
  updated_at: '2025-11-20T11:00:00Z',
  made_by: 'buyer',
  listing_title: 'Lamp',
  expires_at: '2025-11-22T11:00:00Z',
}

describe('whose turn an offer is', () => {
  it.each<[string, Partial<Offer>, string, string | null]>([
    ['an offer is its maker’s to withdraw', {}, 'buyer', 'withdraw'],
    ['an offer is the seller’s to answer', {}, 'seller', 'answer'],
    ['a counter is the seller’s to withdraw', { made_by: 'seller' }, 'seller', 'withdraw'],
    ['a counter is the buyer’s to answer', { made_by: 'seller' }, 'buyer', 'answer'],
    ['an accepted offer is nobody’s', { status: 'accepted' }, 'seller', null],
    ['a rejected offer is nobody’s', { status: 'rejected' }, 'buyer', null],
    ['a lapsed offer is nobody’s', { expires_at: '2025-11-20T12:00:00Z' }, 'seller', null],
  ])('%s', (_case, change, userId, turn) => {
    expect(turnOf({ ...offer, ...change }, userId, now)).toBe(turn)
  })

  it('calls an open offer expired from its last instant on', () => {
    expect(stateOf(offer, Date.parse(offer.expires_at) - 1)).toBe('pending')
    expect(stateOf(offer, Date.parse(offer.expires_at))).toBe('expired')
  })
})
