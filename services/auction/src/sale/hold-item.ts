import { transaction } from '@marketplace/kit/db.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import type { Context } from '../context.ts'
import { findFixedPriceListing, type FixedPriceListing } from '../listing/fixed-price-listings.repo.ts'
import { answerHold, type HoldAnswer, type HoldAsk } from './hold.ts'
import { findHolds, insertHold } from './holds.repo.ts'

/** May this buyer have the auction's item, and for which sale; whoever buys at once holds it from then on. */
export function holdItem(ctx: Context, ask: HoldAsk): Promise<HoldAnswer> {
  return transaction(ctx.db, async (trx) => {
    const { auction, now } = await lockAuction(trx, ask.listingId)
    if (!auction) return refuseUnknown(ask, await findFixedPriceListing(trx, ask.listingId))
    const answer = answerHold(auction, await findHolds(trx, ask), ask, now)
    if (answer.kind === 'held' && answer.isNew) await insertHold(trx, answer.hold, now)
    return answer
  })
}

// A fixed-price listing is known, but has no buy-it-now.
function refuseUnknown(ask: HoldAsk, listing: FixedPriceListing | undefined): HoldAnswer {
  if (!listing || ask.saleType !== 'buy_now') return { kind: 'refused', refusal: 'missing' }
  return { kind: 'refused', refusal: listing.sellerId === ask.buyerId ? 'own_listing' : 'not_buyable' }
}
