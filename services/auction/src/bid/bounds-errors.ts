import { conflict, forbidden, type DomainError } from '@marketplace/kit/errors/problem.ts'
import type { BoundsRejection } from '../auction/bid-bounds.ts'

export function biddingSuspended(until: Date): DomainError {
  const day = until.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
  const message = `You cannot bid until ${day}, because you did not pay for several won auctions.`
  return forbidden('bidding_suspended', message, { until: until.toISOString() })
}

export function outOfBounds(rejection: BoundsRejection): DomainError {
  if (rejection.reason === 'not_chargeable') return notChargeable(rejection)
  if (rejection.reason === 'confirmation_needed') return confirmationNeeded(rejection)
  const { limit, used } = rejection
  const message = `Until your first purchase, your bids and unpaid wins can total up to ${dollars(limit)}.`
  return conflict('exposure_limit', message, { limit, used })
}

type Rejection<Reason> = Extract<BoundsRejection, { reason: Reason }>

function notChargeable({ highestBid }: Rejection<'not_chargeable'>): DomainError {
  const message = `That is more than a card can be charged. The highest possible bid is ${dollars(highestBid)}.`
  return conflict('not_chargeable', message, { highest_bid: highestBid })
}

function confirmationNeeded(rejection: Rejection<'confirmation_needed'>): DomainError {
  const { amount, currentBid, shipping, fee, total } = rejection
  const message = `Please confirm your bid of ${dollars(amount)}, which is far above the current price.`
  const amounts = { amount, current_bid: currentBid, shipping_cost: shipping, transaction_fee: fee, total }
  return conflict('confirmation_needed', message, amounts)
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}
