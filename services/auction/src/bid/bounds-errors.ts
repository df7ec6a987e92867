import { conflict, forbidden, type DomainError } from '@marketplace/kit/errors/problem.ts'
import type { BoundsRejection } from '../auction/bid-bounds.ts'
import type { Context } from '../context.ts'

const dayMs = 24 * 3_600_000

/** The settings that explain a suspension. */
export interface SuspensionSettings extends Pick<Context['settings'], 'MAX_STRIKES' | 'STRIKE_WINDOW_MS'> {}

export function biddingSuspended(
  until: Date,
  { MAX_STRIKES: count, STRIKE_WINDOW_MS: windowMs }: SuspensionSettings,
): DomainError {
  const wins = count === 1 ? '1 win' : `${count.toLocaleString('en-US')} wins`
  const message = `You can't bid until ${inUtc(until)}, because you didn't pay for ${wins} within ${inDays(windowMs)}.`
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
  const message = `That's more than a card can be charged. The highest possible bid is ${dollars(highestBid)}.`
  return conflict('not_chargeable', message, { highest_bid: highestBid })
}

function confirmationNeeded(rejection: Rejection<'confirmation_needed'>): DomainError {
  const { amount, currentBid, shipping, fee, total } = rejection
  const message = `Please confirm your bid of ${dollars(amount)}, which is far above the current price.`
  const amounts = { amount, current_bid: currentBid, shipping_cost: shipping, transaction_fee: fee, total }
  return conflict('confirmation_needed', message, amounts)
}

/** Formats an instant to the minute. The time zone is named, because the reader may be in any. */
function inUtc(at: Date): string {
  const day = at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return `${at.toISOString().slice(11, 16)} UTC on ${day}`
}

function inDays(ms: number): string {
  const format = { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 1 } as const
  return (ms / dayMs).toLocaleString('en-US', format)
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}
