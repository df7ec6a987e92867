import { readAuctions } from '../auction/auctions.repo.ts'
import type { Context } from '../context.ts'
import { answerHold, type HoldAnswer, type HoldAsk } from './hold.ts'
import { findLiveHold } from './holds.repo.ts'

/** May this buyer pay for the auction's item, and for which sale. */
export async function holdItem(ctx: Context, listingId: string, ask: HoldAsk): Promise<HoldAnswer> {
  const [reading] = await readAuctions(ctx.db, [listingId])
  return answerHold(reading?.auction, await findLiveHold(ctx.db, listingId), ask)
}
