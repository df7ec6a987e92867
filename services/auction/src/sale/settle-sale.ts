import { newId } from '@marketplace/kit/values/ids.ts'
import { closeAuction, closeByBuyNow, type Auction, type Closing } from '../auction/auction.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import { recordClosings } from '../auction/close-auctions.ts'
import { recordStrike, type StrikeLimits } from '../bidder/strikes.ts'
import { lockStrikes } from '../bidder/strikes.repo.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import type { Hold } from './hold.ts'
import { findHold, insertReleasedSale, settleHold } from './holds.repo.ts'

export interface SettleRequest {
  saleId: string
  listingId: string
  outcome: 'sold' | 'released'
  /** Why the sale was released, as in the event SaleReleased. Empty for a completed sale. */
  reason: string
}

export interface SettleSettings extends StrikeLimits, Pick<Context['settings'], 'WIN_PAYMENT_WINDOW_MS'> {}

export interface SettleResult {
  /**
   * False if the payment succeeded although the item was not reserved for the sale. The payments service must refund
   * it.
   */
  isAccepted: boolean
  closings: Closing[]
  /** Sequence number of the auction's last event before `settleSale` was called; 0 if the listing has no auction. */
  number: number
}

/**
 * Records on the hold whether its sale was paid or released. Closes the auction when a buy-it-now checkout was paid, or
 * when the auction had ended and waited for the checkout. Repeated calls change nothing: the first outcome stays.
 */
export async function settleSale(trx: Trx, request: SettleRequest, settings: SettleSettings): Promise<SettleResult> {
  const struckUser = await lockStrikesOfUnpaidWin(trx, request)
  const { auction, now } = await lockAuction(trx, request.listingId)
  const hold = auction && (await findHold(trx, request))
  const number = auction?.number ?? 0
  if (!auction || hold?.state !== 'held') {
    // The sale is recorded as released, so that a Hold call that arrives later is rejected.
    if (!hold && request.outcome === 'released') await insertReleasedSale(trx, request.saleId)
    return { isAccepted: request.outcome === 'released' || hold?.state === 'sold', closings: [], number }
  }
  await settleHold(trx, hold.saleId, request.outcome)
  if (struckUser !== undefined) await recordStrike(trx, { saleId: hold.saleId, userId: struckUser }, settings)
  const dueAfterMs = settings.WIN_PAYMENT_WINDOW_MS
  const closings = closingsAfter(auction, hold, { outcome: request.outcome, dueAfterMs, now })
  await recordClosings(trx, closings)
  return { isAccepted: true, closings, number }
}

/**
 * Returns the winner of an auction if this request releases the sale because the winner did not pay. The winner's
 * strikes are then locked, because a strike is added. Returns undefined for every other request.
 */
async function lockStrikesOfUnpaidWin(trx: Trx, request: SettleRequest): Promise<string | undefined> {
  if (request.outcome !== 'released' || request.reason !== 'unpaid') return undefined
  // The buyer and the type of a hold never change, so the hold can be read before the auction's row is locked.
  const hold = await findHold(trx, request)
  if (hold?.saleType !== 'auction_win') return undefined
  await lockStrikes(trx, hold.buyerId)
  return hold.buyerId
}

function closingsAfter(
  auction: Auction,
  hold: Hold,
  { outcome, dueAfterMs, now }: { outcome: SettleRequest['outcome']; dueAfterMs: number; now: Date },
): Closing[] {
  // The hold belongs to a won auction, which is closed already.
  if (hold.saleType !== 'buy_now') return []
  if (outcome === 'sold') return [closeByBuyNow(auction, now)]
  return auction.state === 'settling' ? [closeAuction(auction, { id: newId(), dueAfterMs }, now)] : []
}
