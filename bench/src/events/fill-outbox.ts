import { openBidDesk } from '@marketplace/auction/src/bid/place-bid.ts'
import type { AuctionTables } from '@marketplace/auction/src/db.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { cents } from '@marketplace/kit/money.ts'

const workers = 200

/** Cents, one more each time. */
export function risingPrice(): () => number {
  let last = 5000
  return () => (last += 1)
}

interface Filling {
  listings: readonly string[]
  bids: number
  price: () => number
}

/** Places bids by the auction service's own use case while nobody relays their events: each auction gets its share in turn. */
export async function fillOutbox(databaseUrl: string, { listings, bids, price }: Filling): Promise<void> {
  const db = openDatabase<AuctionTables>(databaseUrl, () => undefined)
  const settings = { CLOSE_OVERDUE_MS: 60_000, WIN_DUE_MS: 60_000 }
  const desk = openBidDesk({ db, log: openLog('auction', 'silent'), settings })
  const bidders = Array.from({ length: 100 }, () => newId())
  let next = 0
  const work = async () => {
    while (next < bids) {
      const number = next++
      const listingId = listings[number % listings.length] ?? ''
      const bidderId = bidders[number % bidders.length] ?? ''
      const answer = await desk({ listingId, bidderId, bidderName: 'Bid Der', amount: cents(price()), keyed: null })
      if (answer.isRefusal) throw new Error(`A bid was refused: ${JSON.stringify(answer.body)}`)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  await db.destroy()
}
