import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { Db, Trx } from '../db.ts'
import { validateEndDate } from './auction.ts'
import { findAuctions, insertAuction, type AuctionWithStatus, type NewAuction } from './auctions.repo.ts'
import { isDropped, lockOpening } from './dropped-auctions.repo.ts'

export type OpenAuctionResult = { kind: 'open'; auction: AuctionWithStatus } | { kind: 'rejected'; message: string }

/**
 * Opens an auction. If the listing already has an auction, returns it, even if it has ended. Throws `auction_dropped`
 * (conflict) if the listing's auction was dropped.
 */
export async function openAuction(ctx: Context, newAuction: NewAuction): Promise<OpenAuctionResult> {
  const existing = await findAuction(ctx.db, newAuction.listingId)
  if (existing) return { kind: 'open', auction: existing }
  const message = validateEndDate(newAuction.endAt, await databaseTime(ctx.db))
  if (message !== null) return { kind: 'rejected', message }
  const auction = await transaction(ctx.db, (trx) => storeAuction(trx, newAuction))
  ctx.log.info({ listingId: newAuction.listingId }, 'auction opened')
  return { kind: 'open', auction }
}

async function storeAuction(trx: Trx, newAuction: NewAuction): Promise<AuctionWithStatus> {
  const { listingId } = newAuction
  await lockOpening(trx, listingId)
  if (await isDropped(trx, listingId)) throw conflict('auction_dropped', 'The auction of this listing was dropped.')
  await insertAuction(trx, newAuction)
  const auction = await findAuction(trx, listingId)
  if (!auction) throw new Error(`No auction was stored for listing ${listingId}.`)
  return auction
}

async function findAuction(db: Db, listingId: string): Promise<AuctionWithStatus | undefined> {
  const [auction] = await findAuctions(db, [listingId])
  return auction
}
