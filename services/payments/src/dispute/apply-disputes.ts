import type { Trx } from '../db.ts'
import { postJournal } from '../ledger/ledger.repo.ts'
import { disputeFee, disputeLost, disputeMoved } from '../ledger/ledger.ts'
import { moveSale, settleOwedRefunds, sumOf } from '../refund/apply-refunds.ts'
import { listRefunds, updateRefundedAmount } from '../refund/refunds.repo.ts'
import { isCharged, termsOf } from '../sale/sale.ts'
import { lockSale } from '../sale/sales.repo.ts'
import { isOlderRead, isOpen, isStale, withdrawnBy, type DisputeChange, type ProviderDispute } from './dispute.ts'
import {
  findDispute,
  listPostedFees,
  listPostedMovements,
  recordChargeback,
  saveDispute,
  updateIsDisputed,
} from './disputes.repo.ts'

/** Locks the sale and updates its disputes, ledger and state to match the provider's disputes. Returns the changes. */
export async function applyDisputes(
  trx: Trx,
  saleId: string,
  made: readonly ProviderDispute[],
): Promise<DisputeChange[]> {
  const changes: DisputeChange[] = []
  if (made.length === 0 || !isCharged(await lockSale(trx, saleId))) return changes
  if (isOlderRead(made, await listPostedMovements(trx, saleId))) return changes
  for (const dispute of made) changes.push(...(await applyDispute(trx, saleId, dispute)))
  await updateIsDisputed(trx, saleId)
  return changes
}

async function applyDispute(trx: Trx, saleId: string, made: ProviderDispute): Promise<DisputeChange[]> {
  const known = await findDispute(trx, made.id)
  if (known && isStale(known, made)) return []
  await saveDispute(trx, saleId, made)
  const changes: DisputeChange[] = known ? [] : ['opened']
  changes.push(...(await postMovements(trx, saleId, made)))
  await postFees(trx, saleId, made)
  const chargedBack = known?.chargedBack ?? 0
  if (made.status === 'lost' && chargedBack === 0 && withdrawnBy(made) > 0) {
    await chargeBack(trx, saleId, made)
    changes.push('lost')
  } else if (known?.state !== made.status && !isOpen(made.status) && made.status !== 'lost')
    // `won_after_loss`: the dispute was first lost and then won. The returned money stays on the ledger account
    // `disputed` until a person decides who gets the money.
    changes.push(chargedBack > 0 ? 'won_after_loss' : 'ended')
  return changes
}

async function postMovements(trx: Trx, saleId: string, { movements }: ProviderDispute): Promise<DisputeChange[]> {
  const posted = await listPostedMovements(trx, saleId)
  const fresh = movements.filter(({ id, amount }) => amount !== 0 && !posted.has(id))
  for (const { id, amount } of fresh)
    await postJournal(trx, saleId, disputeMoved(amount), { subject: id, providerRef: id })
  return fresh.map(({ amount }) => (amount < 0 ? 'withdrawn' : 'reinstated'))
}

// Posts each fee that is not in the ledger yet, including fees that an earlier version of this service did not post.
async function postFees(trx: Trx, saleId: string, { movements }: ProviderDispute): Promise<void> {
  const posted = await listPostedFees(trx, saleId)
  for (const { id, fee } of movements)
    if (fee !== 0 && !posted.has(id)) await postJournal(trx, saleId, disputeFee(fee), { subject: id })
}

// Records a lost dispute. The buyer got the disputed amount back from the bank, so refunds that are still owed are
// reduced by this amount.
async function chargeBack(trx: Trx, saleId: string, made: ProviderDispute): Promise<void> {
  const sale = await lockSale(trx, saleId)
  const refunds = await listRefunds(trx, saleId)
  const before = sumOf(refunds) + sale.chargedBackAmount
  const withdrawn = withdrawnBy(made)
  const settled = await settleOwedRefunds(trx, refunds, withdrawn)
  await postJournal(trx, saleId, disputeLost(termsOf(sale), { before, withdrawn, settled }), { subject: made.id })
  await recordChargeback(trx, { saleId, id: made.id, amount: withdrawn })
  if (settled > 0) await updateRefundedAmount(trx, saleId)
  await moveSale(trx, await lockSale(trx, saleId), await listRefunds(trx, saleId))
}
