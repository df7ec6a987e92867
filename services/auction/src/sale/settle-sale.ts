import { newId } from '@marketplace/kit/values/ids.ts'
import { closeAuction, closeByBuyNow, type Auction, type Closing } from '../auction/auction.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import { recordClosings } from '../auction/close-auctions.ts'
import type { Trx } from '../db.ts'
import type { Hold } from './hold.ts'
import { findHold, insertReleasedSale, settleHold } from './holds.repo.ts'

export interface SettleRequest {
  saleId: string
  listingId: string
  outcome: 'sold' | 'released'
}

export interface SettleResult {
  /** False if the sale was paid without holding the item. Payments has to refund it. */
  isAccepted: boolean
  closings: Closing[]
  /** Number of the auction's last event before this call; 0 without an auction. */
  number: number
}

/** Settles a sale's hold and closes the auction if this decides it. Idempotent: the first outcome stays. */
export async function settleSale(trx: Trx, request: SettleRequest, dueAfterMs: number): Promise<SettleResult> {
  const { auction, now } = await lockAuction(trx, request.listingId)
  const hold = auction && (await findHold(trx, request))
  const number = auction?.number ?? 0
  if (!auction || hold?.state !== 'held') {
    // The tombstone rejects a Hold call of this sale that arrives later.
    if (!hold && request.outcome === 'released') await insertReleasedSale(trx, request.saleId)
    return { isAccepted: request.outcome === 'released' || hold?.state === 'sold', closings: [], number }
  }
  await settleHold(trx, hold.saleId, request.outcome)
  const closings = closingsAfter(auction, hold, { outcome: request.outcome, dueAfterMs, now })
  await recordClosings(trx, closings)
  return { isAccepted: true, closings, number }
}

function closingsAfter(
  auction: Auction,
  hold: Hold,
  { outcome, dueAfterMs, now }: { outcome: SettleRequest['outcome']; dueAfterMs: number; now: Date },
): Closing[] {
  // The auction of a win is closed already.
  if (hold.saleType !== 'buy_now') return []
  if (outcome === 'sold') return [closeByBuyNow(auction, now)]
  return auction.state === 'settling' ? [closeAuction(auction, { id: newId(), dueAfterMs }, now)] : []
}
