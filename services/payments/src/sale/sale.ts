import { feeOf } from '@marketplace/contracts/fee.ts'
import { cents, type Cents } from '@marketplace/kit/values/money.ts'

export type SaleState = 'new' | 'held' | 'payable' | 'releasing' | 'paid' | 'released' | 'refunding' | 'refunded'
export type SaleType = 'buy_now' | 'auction_win' | 'offer_accepted'
export type InventoryService = 'catalog' | 'auction'
export type SaleStatus = 'pending' | 'completed' | 'cancelled'
export const releaseReasons = ['cancelled', 'expired', 'unpaid', 'not_chargeable', 'refused'] as const
export type ReleaseReason = (typeof releaseReasons)[number]

/** Terms of a sale, set by the inventory service. Amounts are in cents. */
export interface SaleTerms {
  sellerId: string
  title: string
  imageUrl: string | null
  price: Cents
  shipping: Cents
  /** Version of the listing's terms that the buyer agreed to; undefined in sales from earlier service versions. */
  termsVersion?: number | undefined
}

/**
 * Terms of a sale with the fee and the totals, in cents. The fee rate is the rate that was configured when the terms
 * were set.
 */
export interface TermsWithFees extends SaleTerms {
  feeBasisPoints: number
  fee: Cents
  sellerAmount: Cents
  amount: Cents
}

export interface Sale {
  id: string
  listingId: string
  buyerId: string
  type: SaleType
  inventoryService: InventoryService
  state: SaleState
  /**
   * Version of the listing's terms: before the hold, the version that the buyer saw (null if unknown); after that, the
   * version for which the item is held.
   */
  listingVersion: number | null
  /** Null until the inventory service grants the hold. */
  terms: TermsWithFees | null
  intentId: string | null
  paymentMethod: string | null
  /** Sum of the refunds that were made or are owed, in cents. */
  refundedAmount: number
  /** Amount that the provider withdrew for lost disputes, in cents. */
  chargedBackAmount: number
  /** Whether a dispute is open. */
  isDisputed: boolean
  reason: ReleaseReason | null
  version: number
  /**
   * Number of failed attempts of payment or refund: provider errors, and intents that the provider cancelled. The next
   * idempotency key contains this number, because the provider repeats its response if a key is used again.
   */
  failedAttempts: number
  expiresAt: Date
  /** Whether `expiresAt` had passed by the database clock when the sale was read. */
  isExpired: boolean
  createdAt: Date
  updatedAt: Date
}

/**
 * Goal of the caller. `pay` obtains an intent. `cancel` ends the checkout. `sync` applies the provider's status.
 * `sweep` does what `sync` does and requests refunds. Only the sweeper uses it, because requests and webhooks would not
 * wait between attempts.
 */
export type Goal = 'pay' | 'cancel' | 'sync' | 'sweep'

export type Step =
  | 'hold'
  | 'ensure-intent'
  | 'recover-intent'
  | 'check-payment'
  | 'cancel-intent'
  | 'start-release'
  | 'release'
  | 'refund'
  | 'none'

/** Returns the next step of a sale in this state. The state diagram is in the README. */
export function nextStep(
  sale: Pick<Sale, 'state' | 'type' | 'isExpired' | 'intentId' | 'failedAttempts'>,
  goal: Goal,
): Step {
  const shouldEnd = sale.isExpired || (goal === 'cancel' && sale.type === 'buy_now')
  switch (sale.state) {
    case 'new':
      if (shouldEnd) return 'release'
      return goal === 'pay' ? 'hold' : 'none'
    case 'held':
      // A failed call might still have created an intent, so the intent is searched for before the sale is released.
      if (shouldEnd) return sale.failedAttempts > 0 ? 'recover-intent' : 'release'
      return goal === 'pay' ? 'ensure-intent' : 'none'
    case 'payable':
      if (shouldEnd) return 'start-release'
      // `cancel` does not end a won auction or an accepted offer, which stays payable until its deadline.
      return goal === 'cancel' ? 'none' : 'check-payment'
    case 'releasing':
      return 'cancel-intent'
    case 'released':
      return (goal === 'sync' || goal === 'sweep') && sale.intentId !== null ? 'check-payment' : 'none'
    case 'refunding':
      return goal === 'sweep' ? 'refund' : 'none'
    case 'paid':
    case 'refunded':
      break
  }
  return 'none'
}

/** Returns whether the buyer was charged, even if the payment was refunded later. */
export function isCharged({ state }: Pick<Sale, 'state'>): boolean {
  return state === 'paid' || state === 'refunding' || state === 'refunded'
}

const statuses: Record<SaleState, SaleStatus> = {
  new: 'pending',
  held: 'pending',
  payable: 'pending',
  releasing: 'pending',
  paid: 'completed',
  released: 'cancelled',
  refunding: 'cancelled',
  refunded: 'cancelled',
}

export function statusOf(state: SaleState): SaleStatus {
  return statuses[state]
}

/**
 * Adds the fee and the totals: the buyer pays `amount` (price + shipping + fee); `sellerAmount` is price − fee, without
 * the shipping.
 */
export function withFees(terms: SaleTerms, feeBasisPoints: number): TermsWithFees {
  const { price, shipping } = terms
  const fee = cents(feeOf(price, feeBasisPoints))
  const amount = cents(price + shipping + fee)
  return { ...terms, feeBasisPoints, fee, sellerAmount: cents(price - fee), amount }
}

/** Smallest and largest amount that the card provider accepts for a charge, in cents. */
export interface ChargeBounds {
  MIN_CHARGE_CENTS: number
  MAX_CHARGE_CENTS: number
}

export function isChargeable(amount: number, { MIN_CHARGE_CENTS, MAX_CHARGE_CENTS }: ChargeBounds): boolean {
  return amount >= MIN_CHARGE_CENTS && amount <= MAX_CHARGE_CENTS
}

/**
 * Returns why a sale that expired or was cancelled is released: the stored reason or, if there is none, the reason that
 * follows from its terms. `not_chargeable`: the total of a won auction or an accepted offer is too low or too high for
 * the card provider.
 */
export function releaseReason(
  { reason, type, isExpired, terms, intentId }: Pick<Sale, 'reason' | 'type' | 'isExpired' | 'terms' | 'intentId'>,
  bounds: ChargeBounds,
): ReleaseReason {
  if (reason !== null) return reason
  if (type !== 'buy_now')
    return intentId === null && terms && !isChargeable(terms.amount, bounds) ? 'not_chargeable' : 'unpaid'
  return isExpired ? 'expired' : 'cancelled'
}

/** Returns the terms of a sale. Throws if the item has not been held yet, because the hold sets the terms. */
export function termsOf(sale: Sale): TermsWithFees {
  if (sale.terms === null) throw new Error(`Sale ${sale.id} has no terms in state ${sale.state}.`)
  return sale.terms
}

/**
 * Returns the idempotency key for creating a payment intent, which changes after each failed attempt. ADR-0018 explains
 * the name `intent2`.
 */
export function idempotencyKey(sale: Pick<Sale, 'id'>, call: 'intent2', failedAttempts: number): string {
  return failedAttempts === 0 ? `${sale.id}:${call}` : `${sale.id}:${call}:${failedAttempts}`
}

/**
 * Returns the idempotency key of a refund. The key changes after each failure, because the provider repeats its result
 * for a used key.
 */
export function refundKey(refundId: string, failedAttempts: number): string {
  return failedAttempts === 0 ? `refund:${refundId}` : `refund:${refundId}:${failedAttempts}`
}

export function intentIdOf(sale: Sale): string {
  if (sale.intentId === null) throw new Error(`Sale ${sale.id} has no intent in state ${sale.state}.`)
  return sale.intentId
}
