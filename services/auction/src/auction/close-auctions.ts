import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { findCheckouts, insertWins } from '../sale/holds.repo.ts'
import { closeAuction, isPastEnd, toSettling, type Auction, type Closing } from './auction.ts'
import { auctionClosed, auctionEnded, type EndedAuction } from './auctions.events.ts'
import { lockDueAuctions, lockOverdueAuction, saveClosings, saveSettling } from './auctions.repo.ts'

export interface ClosingResult {
  closings: Closing[]
  /**
   * Auctions that ended while a buy-it-now checkout was open. They are closed when the payments service reports whether
   * the buyer paid.
   */
  settling: EndedAuction[]
}

const emptyResult: ClosingResult = { closings: [], settling: [] }

/**
 * Closes a batch of auctions whose end has passed. Skips auctions whose row is locked. Returns the number of auctions
 * in the batch.
 */
export function closeDueAuctions(ctx: Context): Promise<number> {
  return lockAndClose(ctx, lockDueAuctions)
}

/**
 * Closes the overdue auction with the earliest end. Waits for the lock on its row. Returns 1, or 0 if no auction is
 * overdue.
 */
export function closeOverdueAuction(ctx: Context): Promise<number> {
  return lockAndClose(ctx, async (trx) => {
    const auction = await lockOverdueAuction(trx, ctx.settings.CLOSE_OVERDUE_DELAY_MS)
    return auction ? [auction] : []
  })
}

/**
 * Closes those of the given auctions whose end has passed, in the caller's transaction. The caller must have locked the
 * auctions' rows.
 */
export async function closeLockedAuctions(
  trx: Trx,
  auctions: readonly Auction[],
  { now, dueAfterMs }: { now: Date; dueAfterMs: number },
): Promise<ClosingResult> {
  const due = auctions.filter((auction) => isPastEnd(auction, now))
  if (due.length === 0) return emptyResult
  const result: ClosingResult = { closings: [], settling: [] }
  const checkouts = await findCheckouts(
    trx,
    due.map((auction) => auction.listingId),
  )
  for (const auction of due) {
    const saleId = checkouts.get(auction.listingId)
    if (saleId === undefined) result.closings.push(closeAuction(auction, { id: newId(), dueAfterMs }, now))
    else result.settling.push({ auction: toSettling(auction), saleId, endedAt: now })
  }
  await recordSettling(trx, result.settling)
  await recordClosings(trx, result.closings)
  return result
}

/** Stores closed auctions, reserves their items for the winners, and publishes the events. */
export async function recordClosings(trx: Trx, closings: readonly Closing[]): Promise<void> {
  if (closings.length === 0) return
  await saveClosings(trx, closings)
  await insertWins(trx, closings)
  await publishAll(trx, closings.map(auctionClosed))
}

export function logClosingResult(ctx: Context, { closings, settling }: ClosingResult): void {
  for (const { auction, outcome, win } of closings) {
    ctx.log.info({ listingId: auction.listingId, outcome, saleId: win?.saleId }, 'auction closed')
  }
  for (const { auction, saleId } of settling) {
    ctx.log.info({ listingId: auction.listingId, saleId }, 'auction ended during a checkout')
  }
}

async function recordSettling(trx: Trx, settling: readonly EndedAuction[]): Promise<void> {
  if (settling.length === 0) return
  await saveSettling(
    trx,
    settling.map(({ auction }) => auction),
  )
  await publishAll(trx, settling.map(auctionEnded))
}

async function lockAndClose(ctx: Context, lock: (trx: Trx) => Promise<Auction[]>): Promise<number> {
  const result = await transaction(ctx.db, async (trx) => {
    const auctions = await lock(trx)
    if (auctions.length === 0) return emptyResult
    return closeLockedAuctions(trx, auctions, {
      now: await databaseTime(trx),
      dueAfterMs: ctx.settings.WIN_PAYMENT_WINDOW_MS,
    })
  })
  logClosingResult(ctx, result)
  return result.closings.length + result.settling.length
}
