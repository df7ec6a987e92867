import { databaseTime } from '@marketplace/kit/db/db.ts'
import type { Context } from '../context.ts'
import { validateEndDate } from './auction.ts'
import { findAuctions, insertAuction, type AuctionWithStatus, type NewAuction } from './auctions.repo.ts'

export type OpenAuctionResult = { kind: 'open'; auction: AuctionWithStatus } | { kind: 'rejected'; message: string }

/**
 * Opens an auction. A repeated call for the same listing returns the existing auction, even if the auction has ended.
 */
export async function openAuction(ctx: Context, newAuction: NewAuction): Promise<OpenAuctionResult> {
  const existing = await findAuction(ctx, newAuction.listingId)
  if (existing) return { kind: 'open', auction: existing }
  const message = validateEndDate(newAuction.endAt, await databaseTime(ctx.db))
  if (message !== null) return { kind: 'rejected', message }
  await insertAuction(ctx.db, newAuction)
  const auction = await findAuction(ctx, newAuction.listingId)
  if (!auction) throw new Error(`No auction was stored for listing ${newAuction.listingId}.`)
  ctx.log.info({ listingId: newAuction.listingId }, 'auction opened')
  return { kind: 'open', auction }
}

async function findAuction(ctx: Context, listingId: string): Promise<AuctionWithStatus | undefined> {
  const [auction] = await findAuctions(ctx.db, [listingId])
  return auction
}
