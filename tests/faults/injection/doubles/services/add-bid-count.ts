import type { Trx } from '../../../../../services/catalog/src/db.ts'
import {
  upsertAuctionStates as upsert,
  type AuctionUpdate,
} from '../../../../../services/catalog/src/auction/auction-states.repo.ts'

export * from '../../../../../services/catalog/src/auction/auction-states.repo.ts'

/** Adds one bid per event instead of using the count of the event. */
export async function upsertAuctionStates(trx: Trx, updates: readonly AuctionUpdate[]): Promise<void> {
  const counted: AuctionUpdate[] = []
  for (const one of updates) counted.push({ ...one, bidCount: await countWith(trx, one) })
  await upsert(trx, counted)
}

async function countWith(trx: Trx, { listingId, bidCount, closedAt }: AuctionUpdate): Promise<number> {
  const known = await trx
    .selectFrom('auction_states')
    .select('bid_count')
    .where('listing_id', '=', listingId)
    .forUpdate()
    .executeTakeFirst()
  if (!known) return bidCount
  return known.bid_count + (closedAt === null ? 1 : 0)
}
