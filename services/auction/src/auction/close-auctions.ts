import { databaseTime, transaction } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { publishAll } from '@marketplace/kit/outbox.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { findCheckouts, insertWins } from '../sale/holds.repo.ts'
import { awaitCheckout, closeAuction, isDue, type Auction, type Closing } from './auction.ts'
import { auctionClosed, auctionEnded, type Ended } from './auctions.events.ts'
import { lockDueAuctions, lockOverdueAuction, saveClosings, saveSettling } from './auctions.repo.ts'

/** What came of auctions whose end has passed. */
export interface Endings {
  closings: Closing[]
  /** Those that wait for the checkout that was open. */
  settling: Ended[]
}

const none: Endings = { closings: [], settling: [] }

/** Ends a batch of due auctions that nobody else has locked; answers how many. */
export function closeDueAuctions(ctx: Context): Promise<number> {
  return lockAndEnd(ctx, lockDueAuctions)
}

/** Ends one auction that is overdue although closers pass every moment: it waits for the lock. */
export function closeOverdueAuction(ctx: Context): Promise<number> {
  return lockAndEnd(ctx, async (trx) => {
    const auction = await lockOverdueAuction(trx, ctx.settings.CLOSE_OVERDUE_MS)
    return auction ? [auction] : []
  })
}

/** Ends those of these locked auctions that are due, in the caller's transaction: states, wins and events are one commit. */
export async function endLocked(
  trx: Trx,
  auctions: readonly Auction[],
  moment: { now: Date; dueAfterMs: number },
): Promise<Endings> {
  const { now, dueAfterMs } = moment
  const due = auctions.filter((auction) => isDue(auction, now))
  if (due.length === 0) return none
  const endings: Endings = { closings: [], settling: [] }
  const checkouts = await findCheckouts(
    trx,
    due.map((auction) => auction.listingId),
  )
  for (const auction of due) {
    const saleId = checkouts.get(auction.listingId)
    if (saleId === undefined) endings.closings.push(closeAuction(auction, { id: newId(), dueAfterMs }, now))
    else endings.settling.push({ auction: awaitCheckout(auction), saleId, endedAt: now })
  }
  await recordSettling(trx, endings.settling)
  await recordClosings(trx, endings.closings)
  return endings
}

/** Stores closings with their wins and events. */
export async function recordClosings(trx: Trx, closings: readonly Closing[]): Promise<void> {
  if (closings.length === 0) return
  await saveClosings(trx, closings)
  await insertWins(trx, closings)
  await publishAll(trx, closings.map(auctionClosed))
}

export function logEndings(ctx: Context, { closings, settling }: Endings): void {
  for (const { auction, outcome, win } of closings) {
    ctx.log.info({ listingId: auction.listingId, outcome, saleId: win?.saleId }, 'auction closed')
  }
  for (const { auction, saleId } of settling) {
    ctx.log.info({ listingId: auction.listingId, saleId }, 'auction ended during a checkout')
  }
}

async function recordSettling(trx: Trx, settling: readonly Ended[]): Promise<void> {
  if (settling.length === 0) return
  await saveSettling(
    trx,
    settling.map(({ auction }) => auction),
  )
  await publishAll(trx, settling.map(auctionEnded))
}

async function lockAndEnd(ctx: Context, lock: (trx: Trx) => Promise<Auction[]>): Promise<number> {
  const endings = await transaction(ctx.db, async (trx) => {
    const auctions = await lock(trx)
    if (auctions.length === 0) return none
    return endLocked(trx, auctions, { now: await databaseTime(trx), dueAfterMs: ctx.settings.WIN_DUE_MS })
  })
  logEndings(ctx, endings)
  return endings.closings.length + endings.settling.length
}
