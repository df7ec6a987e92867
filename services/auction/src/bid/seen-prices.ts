import type { Cents } from '@marketplace/kit/money.ts'
import { isDue, type Auction } from '../auction/auction.ts'

/** Prices that this process has seen a moment ago: enough to refuse a bid, never to accept one. */
export interface SeenPrices {
  /** Notes an auction as it was at this instant of the database's clock. */
  note(auction: Auction, now: Date): void
  /** The price that bars this bid; null when only the database can tell. */
  barring(bid: { listingId: string; bidderId: string; amount: Cents }): Cents | null
}

interface Seen {
  sellerId: string
  price: Cents
  untilMs: number
}

export interface SeenPricesOptions {
  // An auction that was bought at once elsewhere is open in here for as long.
  keptMs: number
  size: number
  /** A clock that only goes forward, ms. */
  clock: () => number
}

export function openSeenPrices({ keptMs, size, clock }: SeenPricesOptions): SeenPrices {
  const seen = new Map<string, Seen>()
  return {
    note(auction, now) {
      const { listingId, sellerId, lead, endAt } = auction
      seen.delete(listingId)
      if (lead === null || auction.state !== 'open' || isDue(auction, now)) return
      // Up to the end only: from then on a bid is late, not too low.
      const untilMs = clock() + Math.min(keptMs, endAt.getTime() - now.getTime())
      seen.set(listingId, { sellerId, price: lead.amount, untilMs })
      const [oldest] = seen.keys()
      if (seen.size > size && oldest !== undefined) seen.delete(oldest)
    },
    barring({ listingId, bidderId, amount }) {
      const known = seen.get(listingId)
      if (!known || known.untilMs <= clock() || known.sellerId === bidderId) return null
      return amount <= known.price ? known.price : null
    },
  }
}
