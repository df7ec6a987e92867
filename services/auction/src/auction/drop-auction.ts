import { transaction } from '@marketplace/kit/db/db.ts'
import type { Context } from '../context.ts'
import { lockAuction } from './auctions.repo.ts'
import { deleteAuction, isInUse, lockOpening } from './dropped-auctions.repo.ts'

/**
 * Drops an auction whose listing was never stored, and makes later `openAuction` calls for that listing fail.
 * Idempotent; keeps an auction that has a bid or was ever reserved for a buyer.
 */
export async function dropAuction(ctx: Context, listingId: string): Promise<void> {
  const result = await transaction(ctx.db, async (trx) => {
    await lockOpening(trx, listingId)
    const { auction } = await lockAuction(trx, listingId)
    if (auction && (await isInUse(trx, listingId))) return 'kept'
    await deleteAuction(trx, listingId)
    return auction ? 'dropped' : 'absent'
  })
  if (result === 'kept') ctx.log.warn({ listingId }, 'auction without a listing kept: it has a bid or a hold')
  if (result === 'dropped') ctx.log.info({ listingId }, 'auction without a listing dropped')
}
