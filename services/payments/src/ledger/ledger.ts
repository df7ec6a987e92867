import type { Terms } from '../sale/sale.ts'

export type JournalKind = 'capture' | 'late_capture' | 'refund_owed' | 'refund_paid'
export type Account = 'provider' | 'seller' | 'fee:buyer' | 'fee:seller' | 'refund:due'

/** Debit +, credit −, US cents. */
export interface Entry {
  account: Account
  amount: number
}

export interface Journal {
  kind: JournalKind
  entries: readonly Entry[]
}

type Amounts = Pick<Terms, 'price' | 'shipping' | 'fee' | 'amount'>

/** The buyer paid: the seller is owed price and shipping less the fee, and we keep the fee of both sides. */
export function capture({ price, shipping, fee, amount }: Amounts): Journal {
  return journal('capture', [
    debit('provider', amount),
    credit('seller', price + shipping),
    debit('seller', fee),
    credit('fee:buyer', fee),
    credit('fee:seller', fee),
  ])
}

/** The buyer paid for a sale that was over: all of it is owed back. */
export function lateCapture({ amount }: Pick<Amounts, 'amount'>): Journal {
  return journal('late_capture', [debit('provider', amount), credit('refund:due', amount)])
}

/** The item could not be given after all: what the capture booked is turned round, all of it owed back. */
export function refundOwed({ price, shipping, fee, amount }: Amounts): Journal {
  return journal('refund_owed', [
    debit('seller', price + shipping),
    credit('seller', fee),
    debit('fee:buyer', fee),
    debit('fee:seller', fee),
    credit('refund:due', amount),
  ])
}

/** The provider gave the buyer what was owed. */
export function refundPaid({ amount }: Pick<Amounts, 'amount'>): Journal {
  return journal('refund_paid', [credit('provider', amount), debit('refund:due', amount)])
}

function debit(account: Account, amount: number): Entry {
  return { account, amount }
}

function credit(account: Account, amount: number): Entry {
  return { account, amount: 0 - amount }
}

// A price below ten cents has no fee, and an entry of nothing is no entry.
function journal(kind: JournalKind, entries: readonly Entry[]): Journal {
  return { kind, entries: entries.filter(({ amount }) => amount !== 0) }
}
