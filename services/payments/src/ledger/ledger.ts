import type { TermsWithFees } from '../sale/sale.ts'

export type JournalKind =
  | 'capture'
  | 'late_capture'
  | 'refund_owed'
  | 'refund_paid'
  | 'refund_failed'
  | 'refund_dropped'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'dispute_fee'
export type Account =
  | 'provider'
  | 'seller'
  | 'fee:buyer'
  | 'fee:seller'
  | 'refund:due'
  // Amounts that banks withdrew for disputes that are not yet won or lost.
  | 'disputed'
  // Losses: amounts that were refunded to buyers beyond what they had paid.
  | 'expense:loss'
  // Fees charged by the provider.
  | 'expense:provider'

/** A ledger entry. `amount` is in US cents: positive for a debit, negative for a credit. */
export interface Entry {
  account: Account
  amount: number
}

export interface Journal {
  kind: JournalKind
  entries: readonly Entry[]
}

type Amounts = Pick<TermsWithFees, 'price' | 'shipping' | 'fee' | 'amount'>

/**
 * Returns the ledger entries of a payment. The buyer and the seller each pay the fee, and both fees are revenue. The
 * seller is owed the price and shipping, less the fee.
 */
export function capture({ price, shipping, fee, amount }: Amounts): Journal {
  return journal('capture', [
    debit('provider', amount),
    credit('seller', price + shipping),
    debit('seller', fee),
    credit('fee:buyer', fee),
    credit('fee:seller', fee),
  ])
}

/**
 * Returns the ledger entries of a payment that arrives for a released sale. The full amount is owed to the buyer as a
 * refund.
 */
export function lateCapture({ amount }: Pick<Amounts, 'amount'>): Journal {
  return journal('late_capture', [debit('provider', amount), credit('refund:due', amount)])
}

/**
 * Returns the ledger entries that reverse a payment because the item is unavailable. The full amount is owed to the
 * buyer as a refund.
 */
export function refundOwed({ price, shipping, fee, amount }: Amounts): Journal {
  return journal('refund_owed', [
    debit('seller', price + shipping),
    credit('seller', fee),
    debit('fee:buyer', fee),
    debit('fee:seller', fee),
    credit('refund:due', amount),
  ])
}

/**
 * Returns the ledger entries of an owed partial refund that raises the refunded total from `before` to `after` cents.
 * The seller's and the platform's shares are calculated from these totals, so that rounding errors do not add up.
 */
export function refundShareOwed(amounts: Amounts, before: number, after: number): Journal {
  return journal('refund_owed', [...shareOf(amounts, before, after), credit('refund:due', after - before)])
}

// Splits a refund between the seller and the accounts `fee:buyer` and `fee:seller`, in the same proportions as the
// payment. The platform bears the part that exceeds the payment.
function shareOf({ fee, amount }: Amounts, before: number, after: number): Entry[] {
  const [from, to] = [Math.min(before, amount), Math.min(after, amount)]
  const returnedFee = feeShare(fee, to, amount) - feeShare(fee, from, amount)
  return [
    debit('seller', to - from - 2 * returnedFee),
    debit('fee:buyer', returnedFee),
    debit('fee:seller', returnedFee),
    debit('expense:loss', after - before - (to - from)),
  ]
}

/**
 * Returns the ledger entries of one of the provider's balance transactions for a dispute. `amount` is negative if the
 * provider withdrew money and positive if it returned money.
 */
export function disputeMoved(amount: number): Journal {
  return journal(amount < 0 ? 'dispute_opened' : 'dispute_won', [debit('provider', amount), credit('disputed', amount)])
}

/**
 * Returns the ledger entries of a lost dispute, in cents. `before` is the amount already refunded or owed to the buyer,
 * `withdrawn` is the amount that the provider withdrew, and `settled` is the amount of owed refunds that the withdrawal
 * replaces.
 */
export function disputeLost(
  amounts: Amounts,
  { before, withdrawn, settled }: { before: number; withdrawn: number; settled: number },
): Journal {
  const share = shareOf(amounts, before, before + withdrawn - settled)
  return journal('dispute_lost', [credit('disputed', withdrawn), debit('refund:due', settled), ...share])
}

/**
 * Returns the ledger entries of the provider's fee for a dispute, which the platform pays. `fee` is negative if the
 * provider returned it.
 */
export function disputeFee(fee: number): Journal {
  return journal('dispute_fee', [credit('provider', fee), debit('expense:provider', fee)])
}

// Returns `fee * refunded / amount`, with half a cent rounded up. Uses bigint, because the product can exceed 2^53.
function feeShare(fee: number, refunded: number, amount: number): number {
  return Number((2n * BigInt(fee) * BigInt(refunded) + BigInt(amount)) / (2n * BigInt(amount)))
}

/**
 * Returns the ledger entries that reverse an owed refund. Used for a failed refund that is not retried and therefore no
 * longer owed to the buyer.
 */
export function refundDropped({ entries }: Journal): Journal {
  return journal(
    'refund_dropped',
    entries.map(({ account, amount }) => ({ account, amount: 0 - amount })),
  )
}

/**
 * Returns the ledger entries of a refund that the provider first reported as succeeded and later as failed. The amount
 * is owed to the buyer again.
 */
export function refundFailed({ amount }: { amount: number }): Journal {
  return journal('refund_failed', [debit('provider', amount), credit('refund:due', amount)])
}

/** Returns the ledger entries of a completed refund. */
export function refundPaid({ amount }: { amount: number }): Journal {
  return journal('refund_paid', [credit('provider', amount), debit('refund:due', amount)])
}

function debit(account: Account, amount: number): Entry {
  return { account, amount }
}

function credit(account: Account, amount: number): Entry {
  return { account, amount: 0 - amount }
}

// Creates a journal without the entries whose amount is zero, such as a fee that rounds to zero.
function journal(kind: JournalKind, entries: readonly Entry[]): Journal {
  return { kind, entries: entries.filter(({ amount }) => amount !== 0) }
}
