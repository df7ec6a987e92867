import { Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import type { BidHistoryEntry } from './bids.repo.ts'

export const AuctionBid = z
  .object({
    id: z.uuidv7(),
    amount: Cents,
    is_winning: z.boolean(),
    created_at: z.iso.datetime(),
    bidder: z.string().meta({ description: 'A masked name, a***e' }),
  })
  .meta({ id: 'AuctionBid' })

export function toAuctionBid(entry: BidHistoryEntry): z.output<typeof AuctionBid> {
  const { id, amount, isWinning, placedAt, maskedBidder } = entry
  return { id, amount, is_winning: isWinning, created_at: placedAt.toISOString(), bidder: maskedBidder }
}
