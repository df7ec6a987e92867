import { databaseTime, transaction } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { publishAll } from '@marketplace/kit/outbox.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { insertWins } from '../sale/holds.repo.ts'
import { closeAuction, isDue, type Auction, type Closing } from './auction.ts'
import { auctionClosed } from './auctions.events.ts'
import { lockDueAuctions, lockOverdueAuction, saveClosings } from './auctions.repo.ts'

/** Closes a batch of due auctions that nobody else has locked; answers how many. */
export function closeDueAuctions(ctx: Context): Promise<number> {
  return lockAndClose(ctx, lockDueAuctions)
}

/** Closes one auction that is overdue although closers pass every moment: it waits for the lock. */
export function closeOverdueAuction(ctx: Context): Promise<number> {
  return lockAndClose(ctx, async (trx) => {
    const auction = await lockOverdueAuction(trx, ctx.settings.CLOSE_OVERDUE_MS)
    return auction ? [auction] : []
  })
}

/** Closes those of these locked auctions that are due, in the caller's transaction: state, wins and events are one commit. */
export async function closeLocked(
  trx: Trx,
  auctions: readonly Auction[],
  moment: { now: Date; dueAfterMs: number },
): Promise<Closing[]> {
  const { now, dueAfterMs } = moment
  const closings = auctions
    .filter((auction) => isDue(auction, now))
    .map((auction) => closeAuction(auction, { id: newId(), dueAfterMs }, now))
  if (closings.length === 0) return []
  await saveClosings(trx, closings)
  await insertWins(trx, closings)
  await publishAll(trx, closings.map(auctionClosed))
  return closings
}

export function logClosings(ctx: Context, closings: readonly Closing[]): void {
  for (const { auction, outcome, win } of closings) {
    ctx.log.info({ listingId: auction.listingId, outcome, saleId: win?.saleId }, 'auction closed')
  }
}

async function lockAndClose(ctx: Context, lock: (trx: Trx) => Promise<Auction[]>): Promise<number> {
  const closings = await transaction(ctx.db, async (trx) => {
    const auctions = await lock(trx)
    if (auctions.length === 0) return []
    return closeLocked(trx, auctions, { now: await databaseTime(trx), dueAfterMs: ctx.settings.WIN_DUE_MS })
  })
  logClosings(ctx, closings)
  return closings.length
}
