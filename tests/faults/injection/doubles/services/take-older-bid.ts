import type { Trx } from '../../../../../services/catalog/src/db.ts'
import {
  upsertAuctionStates as upsert,
  type AuctionUpdate,
} from '../../../../../services/catalog/src/auction/auction-states.repo.ts'

export * from '../../../../../services/catalog/src/auction/auction-states.repo.ts'

/** Sets the price of the last event, even when it is lower. */
export async function upsertAuctionStates(trx: Trx, updates: readonly AuctionUpdate[]): Promise<void> {
  await upsert(trx, updates)
  for (const { listingId, currentBid } of updates)
    await trx
      .updateTable('auction_states')
      .set({ current_bid_cents: currentBid })
      .where('listing_id', '=', listingId)
      .execute()
}
