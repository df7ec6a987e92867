import { createBidDecider, createPlaceBid } from '@marketplace/auction/src/bid/place-bid.ts'
import type { AuctionTables } from '@marketplace/auction/src/db.ts'
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { auctionSettings } from '../harness/auction-settings.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { cents } from '@marketplace/kit/values/money.ts'

const workers = 200

/** Returns prices in cents, each one cent higher than the last. */
export function risingPrice(): () => number {
  let last = 5000
  return () => (last += 1)
}

interface OutboxFill {
  listings: readonly string[]
  bids: number
  price: () => number
}

/**
 * Places bids with the auction service's use case while no process relays their events. The auctions get bids in turn.
 */
export async function fillOutbox(databaseUrl: string, { listings, bids, price }: OutboxFill): Promise<void> {
  const db = openDatabase<AuctionTables>(databaseUrl, () => undefined)
  const placeBid = createPlaceBid(
    createBidDecider({ db, log: openLog('auction', 'silent'), settings: auctionSettings }),
  )
  const bidders = Array.from({ length: 100 }, () => newId())
  let next = 0
  const work = async () => {
    while (next < bids) {
      const number = next++
      const listingId = listings[number % listings.length] ?? ''
      const bidderId = bidders[number % bidders.length] ?? ''
      const result = await placeBid({
        listingId,
        bidderId,
        bidderName: 'Bid Der',
        amount: cents(price()),
        isUnconfirmed: false,
        idempotencyKey: null,
      })
      if (result.isError) throw new Error(`A bid was rejected: ${JSON.stringify(result.body)}`)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  await db.destroy()
}
