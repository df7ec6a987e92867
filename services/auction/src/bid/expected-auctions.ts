import type { Auction } from '../auction/auction.ts'

/** An auction at an instant of the database's clock. */
export interface AuctionAt {
  auction: Auction
  now: Date
}

/** Auctions as this process left them or is about to: enough to judge bids ahead, whose statement then looks whether it is so. */
export interface ExpectedAuctions {
  /** Undefined where somebody else may have changed it: it has to be locked and read. */
  of(listingId: string): AuctionAt | undefined
  /** It was found so under the lock, and left so. */
  note(found: Auction, left: AuctionAt): void
  /** It will be left so, if it still is as expected. */
  expect(left: AuctionAt): void
  /** It was not as expected, or is about to be locked and changed. */
  doubt(listingId: string): void
}

interface Known extends AuctionAt {
  /** Nobody else was between its last two changes by this process. */
  isOurs: boolean
}

/** Of at most so many auctions, those that were bid on last. */
export function openExpectedAuctions(size: number): ExpectedAuctions {
  const known = new Map<string, Known>()
  function keep(one: Known): void {
    const { listingId } = one.auction
    known.delete(listingId)
    known.set(listingId, one)
    const [oldest] = known.keys()
    if (known.size > size && oldest !== undefined) known.delete(oldest)
  }
  return {
    of(listingId) {
      const one = known.get(listingId)
      return one?.isOurs ? one : undefined
    },
    note(found, left) {
      keep({ ...left, isOurs: known.get(found.listingId)?.auction.number === found.number })
    },
    expect(left) {
      keep({ ...left, isOurs: true })
    },
    doubt(listingId) {
      const one = known.get(listingId)
      if (one) one.isOurs = false
    },
  }
}
