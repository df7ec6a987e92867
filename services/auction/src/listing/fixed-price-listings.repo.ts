import type { Trx } from '../db.ts'

export interface FixedPriceListing {
  listingId: string
  sellerId: string
}

export async function insertFixedPriceListings(trx: Trx, listings: readonly FixedPriceListing[]): Promise<void> {
  if (listings.length === 0) return
  await trx
    .insertInto('fixed_price_listings')
    .values(listings.map(({ listingId, sellerId }) => ({ listing_id: listingId, seller_id: sellerId })))
    .onConflict((conflict) => conflict.column('listing_id').doNothing())
    .execute()
}

export async function findFixedPriceListing(trx: Trx, listingId: string): Promise<FixedPriceListing | undefined> {
  const row = await trx
    .selectFrom('fixed_price_listings')
    .selectAll()
    .where('listing_id', '=', listingId)
    .executeTakeFirst()
  return row && { listingId: row.listing_id, sellerId: row.seller_id }
}
