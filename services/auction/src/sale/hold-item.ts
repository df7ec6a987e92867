import { transaction } from '@marketplace/kit/db/db.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import { isBarredBySeller } from '../bidder/blocked-bidders.repo.ts'
import type { Context } from '../context.ts'
import { findFixedPriceListing, type FixedPriceListing } from '../listing/fixed-price-listings.repo.ts'
import { evaluateHold, type HoldRequest, type HoldResult } from './hold.ts'
import { findHolds, insertHold } from './holds.repo.ts'

/**
 * Holds an auction's item for a buy-it-now checkout. If the buyer already holds the item, returns the existing hold.
 */
export function holdItem(ctx: Context, request: HoldRequest): Promise<HoldResult> {
  return transaction(ctx.db, async (trx) => {
    const { auction, now } = await lockAuction(trx, request.listingId)
    if (!auction) return rejectWithoutAuction(request, await findFixedPriceListing(trx, request.listingId))
    const isBarred = await isBarredBySeller(trx, request.buyerId, auction.sellerId)
    const result = evaluateHold(auction, { ...(await findHolds(trx, request)), isBarred }, request, now)
    if (result.kind === 'held' && result.isNew) await insertHold(trx, result.hold, now)
    return result
  })
}

function rejectWithoutAuction(request: HoldRequest, listing: FixedPriceListing | undefined): HoldResult {
  if (!listing || request.saleType !== 'buy_now') return { kind: 'rejected', reason: 'missing' }
  return { kind: 'rejected', reason: listing.sellerId === request.buyerId ? 'own_listing' : 'not_buyable' }
}
