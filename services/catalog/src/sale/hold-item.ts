import { transaction } from '@marketplace/kit/db/db.ts'
import { isBlocked } from '../block/blocks.repo.ts'
import type { Context } from '../context.ts'
import { changeStatuses } from '../listing/life/change-statuses.ts'
import { reserve } from '../listing/life/status.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { evaluateHold, type HoldRequest, type HoldResult } from './hold.ts'
import { findLiveHold, insertHold, lockHold } from './holds.repo.ts'

/**
 * Holds the item for a sale until the payments service settles or releases the sale. The hold does not expire by
 * itself.
 */
export function holdItem({ db }: Context, request: HoldRequest): Promise<HoldResult> {
  return transaction(db, async (trx) => {
    const listing = await lockListing(trx, request.listingId)
    const own = await lockHold(trx, request.saleId)
    const live = await findLiveHold(trx, request.listingId)
    const isBarred = listing !== undefined && (await isBlocked(trx, listing.sellerId, request.buyerId))
    const result = evaluateHold({ listing, own, live, isBarred }, request)
    if (result.kind === 'held' && result.isNew) {
      await insertHold(trx, result.hold)
      await changeStatuses(trx, [{ listingId: request.listingId, change: reserve(null) }])
    }
    return result
  })
}
