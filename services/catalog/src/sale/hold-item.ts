import { transaction } from '@marketplace/kit/db.ts'
import type { Context } from '../context.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { answerHold, type HoldAnswer, type HoldAsk } from './hold.ts'
import { findLiveHold, insertHold, lockHold } from './holds.repo.ts'

/** Gives the item to a sale, for as long as that sale lives: catalog has no timer for holds. */
export function holdItem({ db }: Context, ask: HoldAsk): Promise<HoldAnswer> {
  return transaction(db, async (trx) => {
    const listing = await lockListing(trx, ask.listingId)
    const own = await lockHold(trx, ask.saleId)
    const live = await findLiveHold(trx, ask.listingId)
    const answer = answerHold({ listing, own, live }, ask)
    if (answer.kind === 'held' && answer.isNew) await insertHold(trx, answer.hold)
    return answer
  })
}
