import { databaseTime } from '@marketplace/kit/db.ts'
import type { Context } from '../context.ts'
import { refuseEnd } from './auction.ts'
import { insertAuction, readAuctions, type AuctionReading, type NewAuction } from './auctions.repo.ts'

export type Opening = { kind: 'open'; reading: AuctionReading } | { kind: 'refused'; reason: string }

/** Opens an auction; asked again for the same listing it answers the one that is there, whatever has become of it. */
export async function openAuction(ctx: Context, auction: NewAuction): Promise<Opening> {
  const known = await findReading(ctx, auction.listingId)
  if (known) return { kind: 'open', reading: known }
  const reason = refuseEnd(auction.endAt, await databaseTime(ctx.db))
  if (reason !== null) return { kind: 'refused', reason }
  await insertAuction(ctx.db, auction)
  const opened = await findReading(ctx, auction.listingId)
  if (!opened) throw new Error(`The auction of ${auction.listingId} was not stored.`)
  ctx.log.info({ listingId: auction.listingId }, 'auction opened')
  return { kind: 'open', reading: opened }
}

async function findReading(ctx: Context, listingId: string): Promise<AuctionReading | undefined> {
  const [reading] = await readAuctions(ctx.db, [listingId])
  return reading
}
