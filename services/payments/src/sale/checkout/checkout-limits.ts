import { conflict, limited, type DomainError } from '@marketplace/kit/errors/problem.ts'
import type { PaymentsSettings } from '../../config.ts'

export interface CheckoutUsage {
  /** Number of the buyer's open, unpaid checkouts. */
  open: number
  /** Number of checkouts that expired unpaid within EXPIRED_CHECKOUTS_WINDOW_MS. */
  expired: number
  /** Milliseconds since the buyer's latest checkout expired unpaid; null if `expired` is 0. */
  sinceExpiryMs: number | null
}

export type CheckoutLimits = Pick<
  PaymentsSettings,
  'MAX_OPEN_CHECKOUTS' | 'MAX_EXPIRED_CHECKOUTS' | 'EXPIRED_CHECKOUTS_WINDOW_MS' | 'CHECKOUT_PAUSE_DELAY_MS'
>

const minuteMs = 60_000

/**
 * Returns the error if the buyer cannot start another checkout: `too_many_checkouts` (409) or `checkouts_paused` (429).
 * Otherwise returns null.
 */
export function checkoutLimitError(usage: CheckoutUsage, limits: CheckoutLimits): DomainError | null {
  const { MAX_OPEN_CHECKOUTS: maxOpen } = limits
  const waitMs = remainingPauseMs(usage, limits)
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / minuteMs)
    const wait = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
    const message = `${usage.expired} of your checkouts expired without payment. You can start another one in ${wait}.`
    return limited('checkouts_paused', message, Math.ceil(waitMs / 1000))
  }
  if (usage.open < maxOpen) return null
  return conflict(
    'too_many_checkouts',
    `You can have at most ${maxOpen} unpaid checkouts at once. Pay for one or cancel it first.`,
  )
}

function remainingPauseMs({ expired, sinceExpiryMs }: CheckoutUsage, limits: CheckoutLimits): number {
  if (sinceExpiryMs === null || expired < limits.MAX_EXPIRED_CHECKOUTS) return 0
  const pauseMs = limits.CHECKOUT_PAUSE_DELAY_MS * 2 ** (expired - limits.MAX_EXPIRED_CHECKOUTS)
  return Math.min(pauseMs, limits.EXPIRED_CHECKOUTS_WINDOW_MS) - sinceExpiryMs
}
