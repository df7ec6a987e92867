import type { Trx } from '../db.ts'

export interface FixedPriceListing {
  listingId: string
  sellerId: string
}

export async function insertFixedPriceListing(trx: Trx, { listingId, sellerId }: FixedPriceListing): Promise<void> {
  await trx
    .insertInto('fixed_price_listings')
    .values({ listing_id: listingId, seller_id: sellerId })
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
