import type { TermsWithFees } from '../sale/sale.ts'

export type JournalKind = 'capture' | 'late_capture' | 'refund_owed' | 'refund_paid'
export type Account = 'provider' | 'seller' | 'fee:buyer' | 'fee:seller' | 'refund:due'

/** Amount in US cents: debits are positive, credits negative. */
export interface Entry {
  account: Account
  amount: number
}

export interface Journal {
  kind: JournalKind
  entries: readonly Entry[]
}

type Amounts = Pick<TermsWithFees, 'price' | 'shipping' | 'fee' | 'amount'>

/** Returns the journal of a payment. The seller is owed price and shipping less the fee; both fees are revenue. */
export function capture({ price, shipping, fee, amount }: Amounts): Journal {
  return journal('capture', [
    debit('provider', amount),
    credit('seller', price + shipping),
    debit('seller', fee),
    credit('fee:buyer', fee),
    credit('fee:seller', fee),
  ])
}

/** Returns the journal of a payment for a released sale. The full amount is due as a refund. */
export function lateCapture({ amount }: Pick<Amounts, 'amount'>): Journal {
  return journal('late_capture', [debit('provider', amount), credit('refund:due', amount)])
}

/** Returns the journal that reverses a capture when the item is unavailable. The full amount is due as a refund. */
export function refundOwed({ price, shipping, fee, amount }: Amounts): Journal {
  return journal('refund_owed', [
    debit('seller', price + shipping),
    credit('seller', fee),
    debit('fee:buyer', fee),
    debit('fee:seller', fee),
    credit('refund:due', amount),
  ])
}

/** Returns the journal of a completed refund. */
export function refundPaid({ amount }: Pick<Amounts, 'amount'>): Journal {
  return journal('refund_paid', [credit('provider', amount), debit('refund:due', amount)])
}

function debit(account: Account, amount: number): Entry {
  return { account, amount }
}

function credit(account: Account, amount: number): Entry {
  return { account, amount: 0 - amount }
}

// Zero entries are dropped: a price below ten cents has no fee.
function journal(kind: JournalKind, entries: readonly Entry[]): Journal {
  return { kind, entries: entries.filter(({ amount }) => amount !== 0) }
}
