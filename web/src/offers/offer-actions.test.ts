import { describe, expect, it } from 'vitest'
import type { Offer } from '../api/client/types.ts'
import { offerState, availableAction } from './offer-actions.ts'

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

describe('the available action of an offer', () => {
  it.each<[string, Partial<Offer>, string, string | null]>([
    ['is to withdraw for the buyer who made it', {}, 'buyer', 'withdraw'],
    ['is to respond for the seller', {}, 'seller', 'respond'],
    ['is to withdraw a counter for the seller', { made_by: 'seller' }, 'seller', 'withdraw'],
    ['is to respond to a counter for the buyer', { made_by: 'seller' }, 'buyer', 'respond'],
    ['is none if it was accepted', { status: 'accepted' }, 'seller', null],
    ['is none if it was rejected', { status: 'rejected' }, 'buyer', null],
    ['is none if it has expired', { expires_at: '2025-11-20T12:00:00Z' }, 'seller', null],
  ])('%s', (_case, change, userId, action) => {
    expect(availableAction({ ...offer, ...change }, userId, now)).toBe(action)
  })

  it('is none from the instant at which the offer expires', () => {
    expect(offerState(offer, Date.parse(offer.expires_at) - 1)).toBe('pending')
    expect(offerState(offer, Date.parse(offer.expires_at))).toBe('expired')
  })
})
