import type { Trx } from '../db.ts'
import { postJournal } from '../ledger/ledger.repo.ts'
import { refundDropped, refundFailed, refundOwed, refundPaid, refundShareOwed } from '../ledger/ledger.ts'
import { markRefunded, markRefunding } from '../sale/sale-transitions.repo.ts'
import { isCharged, termsOf, type Sale } from '../sale/sale.ts'
import { lockSale } from '../sale/sales.repo.ts'
import { isFull, nextRefundChange, type ProviderRefund, type Refund, type RefundChange } from './refund.ts'
import { insertRefund, listRefunds, updateRefund, updateRefundedAmount } from './refunds.repo.ts'

/**
 * Inserts a refund that is owed to the buyer and returns its id. The caller must post the ledger entries. The sweeper
 * requests the refund from the provider.
 */
export async function insertOwedRefund(trx: Trx, saleId: string, amount: number): Promise<string> {
  const id = await insertRefund(trx, { saleId, amount, origin: 'not_available', state: 'owed', providerId: null })
  await updateRefundedAmount(trx, saleId)
  return id
}

/**
 * Locks the sale and updates its refunds, ledger and state to match the provider's refunds. Returns the updated sale
 * and the kinds of the changes.
 */
export async function applyRefunds(
  trx: Trx,
  saleId: string,
  made: readonly ProviderRefund[],
): Promise<{ sale: Sale; changes: RefundChange['kind'][] }> {
  const sale = await lockSale(trx, saleId)
  const changes: RefundChange['kind'][] = []
  if (!isCharged(sale)) return { sale, changes }
  await insertEarlierRefund(trx, sale, made)
  // Each refund of the provider changes at most one stored refund once.
  for (let steps = 0; steps <= made.length; steps++) {
    const refunds = await listRefunds(trx, saleId)
    const change = nextRefundChange(refunds, made)
    if (!change) {
      if (changes.length > 0) await updateRefundedAmount(trx, saleId)
      return { sale: (await moveSale(trx, sale, refunds)) ?? sale, changes }
    }
    await applyChange(trx, sale, refunds, change)
    changes.push(change.kind)
  }
  throw new Error(`The refunds of sale ${saleId} still differ after ${made.length} changes.`)
}

// Inserts the refund record of a sale that was refunded before this service stored refunds.
async function insertEarlierRefund(trx: Trx, sale: Sale, made: readonly ProviderRefund[]): Promise<void> {
  // A refund record can be missing only if the sale is `refunding` or `refunded` and no amount was charged back in a
  // dispute.
  if (sale.state === 'paid' || sale.chargedBackAmount > 0) return
  const refunds = await listRefunds(trx, sale.id)
  const providerId = made[0]?.id ?? null
  const owed = refunds.find(({ state }) => state === 'owed')
  if (sale.state === 'refunded' && owed) await updateRefund(trx, owed.id, { state: 'succeeded', providerId })
  if (refunds.length > 0) return
  const { amount } = termsOf(sale)
  if (sale.state === 'refunding') await insertOwedRefund(trx, sale.id, amount)
  else await insertRefund(trx, { saleId: sale.id, amount, origin: 'not_available', state: 'succeeded', providerId })
}

async function applyChange(trx: Trx, sale: Sale, refunds: readonly Refund[], change: RefundChange): Promise<void> {
  const { made } = change
  switch (change.kind) {
    case 'take':
      return recordRefund(trx, sale, refunds, change)
    case 'add':
      return recordRefund(trx, sale, refunds, { owed: [], made })
    case 'succeed':
      await updateRefund(trx, change.refund.id, { state: 'succeeded', providerId: made.id })
      return postJournal(trx, sale.id, refundPaid(made), made.id)
    case 'fail':
      return failRefund(trx, sale, refunds, change)
  }
}

// Records a refund that the provider made. `owed` contains the owed refunds that it covers.
async function recordRefund(
  trx: Trx,
  sale: Sale,
  refunds: readonly Refund[],
  { owed, made }: { owed: readonly Refund[]; made: ProviderRefund },
): Promise<void> {
  const state = made.status === 'succeeded' ? 'succeeded' : 'pending'
  const { id: providerId, amount } = made
  const exact = owed.find((refund) => refund.amount === amount)
  if (exact) await updateRefund(trx, exact.id, { state, providerId })
  else {
    const settled = await settleOwedRefunds(trx, owed, amount)
    const id = await insertRefund(trx, { saleId: sale.id, amount, origin: 'provider', state, providerId })
    if (settled < amount) await postJournal(trx, sale.id, shareOwed(sale, sumOf(refunds), amount - settled), id)
  }
  if (state === 'succeeded') await postJournal(trx, sale.id, refundPaid(made), made.id)
}

/**
 * Reduces owed refunds, oldest first, by up to `amount` cents, which the buyer received in another way. Drops those that
 * reach 0. Returns the sum of the reductions.
 */
export async function settleOwedRefunds(trx: Trx, refunds: readonly Refund[], amount: number): Promise<number> {
  let settled = 0
  for (const refund of refunds) {
    const part = refund.state === 'owed' ? Math.min(refund.amount, amount - settled) : 0
    if (part === 0) continue
    if (part === refund.amount) await updateRefund(trx, refund.id, { state: 'dropped', providerId: null })
    else await updateRefund(trx, refund.id, { state: 'owed', providerId: null, amount: refund.amount - part })
    settled += part
  }
  return settled
}

// Handles a refund that failed at the provider. The amount is owed again if the sale must be refunded in full;
// otherwise the refund is dropped and not repeated.
async function failRefund(
  trx: Trx,
  sale: Sale,
  refunds: readonly Refund[],
  { refund, made }: { refund: Refund; made: ProviderRefund },
): Promise<void> {
  if (refund.state === 'succeeded') await postJournal(trx, sale.id, refundFailed(made), made.id)
  const others = sumOf(refunds) - refund.amount
  const missing = isFull(refunds, amountLeft(sale)) ? Math.max(0, amountLeft(sale) - others) : 0
  const owed = Math.min(refund.amount, missing)
  const state = owed > 0 ? 'owed' : 'dropped'
  await updateRefund(trx, refund.id, { state, providerId: null, amount: owed > 0 ? owed : refund.amount })
  if (owed === refund.amount) return
  const share = shareOwed(sale, others + owed, refund.amount - owed)
  // A refund can be dropped in part after each of its failures.
  await postJournal(trx, sale.id, refundDropped(share), `${refund.id}:${made.id}`)
}

function shareOwed(sale: Sale, refunded: number, amount: number) {
  const terms = termsOf(sale)
  const before = refunded + sale.chargedBackAmount
  return before === 0 && amount === terms.amount ? refundOwed(terms) : refundShareOwed(terms, before, before + amount)
}

function amountLeft(sale: Sale): number {
  return termsOf(sale).amount - sale.chargedBackAmount
}

/** Returns the sum of the refunds in cents, without refunds in state `dropped`, which will not be made. */
export function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { state, amount }) => sum + (state === 'dropped' ? 0 : amount), 0)
}

/**
 * Sets the sale's state if the refunds, including owed refunds, cover the whole amount: `refunded` if all refunds have
 * succeeded, otherwise `refunding`. Returns undefined if the state does not change.
 */
export async function moveSale(trx: Trx, sale: Sale, refunds: readonly Refund[]): Promise<Sale | undefined> {
  if (!isFull(refunds, amountLeft(sale))) return undefined
  const isDone = refunds.every(({ state }) => state === 'succeeded' || state === 'dropped')
  if (isDone) return sale.state === 'refunded' ? undefined : markRefunded(trx, sale)
  if (sale.state === 'refunding') return undefined
  return markRefunding(trx, sale, { paymentMethod: sale.paymentMethod, retryMs: 0 })
}
