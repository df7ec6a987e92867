import { newId } from '@marketplace/kit/ids.ts'
import { closeAuction, closeBought, type Auction, type Closing } from '../auction/auction.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import { recordClosings } from '../auction/close-auctions.ts'
import type { Trx } from '../db.ts'
import type { Hold } from './hold.ts'
import { findHold, insertReleasedSale, settleHold } from './holds.repo.ts'

export interface SaleNotice {
  saleId: string
  listingId: string
  end: 'sold' | 'released'
}

export interface Settlement {
  /** False when money was taken for what this sale does not have. */
  isTaken: boolean
  closings: Closing[]
  /** The auction's number when it was settled; 0 without an auction. */
  number: number
}

/** Ends a sale's hold, and with it an auction that is bought or waits for this. A second notice changes nothing. */
export async function settleSale(trx: Trx, notice: SaleNotice, dueAfterMs: number): Promise<Settlement> {
  const { auction, now } = await lockAuction(trx, notice.listingId)
  const hold = auction && (await findHold(trx, notice))
  const number = auction?.number ?? 0
  if (!auction || hold?.state !== 'held') {
    // A call to hold it may still be on its way.
    if (!hold && notice.end === 'released') await insertReleasedSale(trx, notice.saleId)
    return { isTaken: notice.end === 'released' || hold?.state === 'sold', closings: [], number }
  }
  await settleHold(trx, hold.saleId, notice.end)
  const closings = closingsAfter(auction, hold, { end: notice.end, dueAfterMs, now })
  await recordClosings(trx, closings)
  return { isTaken: true, closings, number }
}

function closingsAfter(
  auction: Auction,
  hold: Hold,
  { end, dueAfterMs, now }: { end: SaleNotice['end']; dueAfterMs: number; now: Date },
): Closing[] {
  // A win's auction is closed already.
  if (hold.saleType !== 'buy_now') return []
  if (end === 'sold') return [closeBought(auction, now)]
  return auction.state === 'settling' ? [closeAuction(auction, { id: newId(), dueAfterMs }, now)] : []
}
