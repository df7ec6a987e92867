import type { Auction } from '../../../api/client/types.ts'
import { formatCents } from '../../../rules/money.ts'

/**
 * Returns the text that describes an auction's outcome to this user. Returns an empty string if there is nothing to say
 * or the outcome is not decided yet.
 */
export function outcomeText({ outcome, final_price: price, bids, you }: Auction, isOwner: boolean): string {
  if (outcome === 'no_sale') return isOwner ? 'Your auction ended without bids.' : ''
  const best =
    you?.standing === 'lost' && you.best_bid !== null ? `Your highest bid was ${formatCents(you.best_bid)}.` : ''
  if (outcome !== 'won' || price === null) return best
  if (isOwner) return `Sold to ${bids[0]?.bidder ?? 'the highest bidder'} for ${formatCents(price)}.`
  if (you?.standing === 'won') return `You won this auction for ${formatCents(price)}.`
  return `It sold for ${formatCents(price)}. ${best}`.trimEnd()
}
