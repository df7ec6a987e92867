import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import { boundBidder, maxBids, type BidLine } from './bid-lines.ts'

const Bids = z.array(z.object({ id: z.string(), amount: Cents, created_at: z.iso.datetime(), bidder: z.string() }))

/** Reads an auction's newest bids. Returns null if the read fails or exceeds its deadline. */
export type ReadBids = (listingId: string) => Promise<readonly BidLine[] | null>

/** Creates a function that reads the newest bids of an auction from the auction service's public API. */
export function bidsReader(auctionUrl: string, timeoutMs: number, log: Log): ReadBids {
  return async (listingId) => {
    const url = new URL(`/api/auctions/${listingId}/bids?limit=${maxBids}`, auctionUrl)
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
      const body: unknown = await response.json()
      if (!response.ok) throw new Error(`Auction responded with status ${response.status}.`)
      return Bids.parse(body).slice(0, maxBids).map(toLine)
    } catch (error) {
      log.warn({ err: error, listingId }, 'bids read for live stream failed')
      return null
    }
  }
}

function toLine({ id, amount, created_at: placedAt, bidder }: z.output<typeof Bids>[number]): BidLine {
  return { id, amount, placedAt, bidder: boundBidder(bidder) }
}
