import type { Client } from '@connectrpc/connect'
import type { Auction, AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { responseOr } from '@marketplace/kit/rpc/rpc.ts'
import { coalesceReads, type CoalescedReads } from '@marketplace/kit/cache/coalesce.ts'

// The auction service's limit for one GetAuctions call.
const maxIds = 100

/** Reads the current state of open auctions from the auction service. `timeoutMs` is the deadline of one call. */
export function createLiveAuctions(
  auctions: Client<typeof AuctionService>,
  timeoutMs: number,
): CoalescedReads<Auction> {
  async function load(listingIds: readonly string[]): Promise<ReadonlyMap<string, Auction>> {
    const response = await responseOr(auctions.getAuctions({ listingIds: [...listingIds] }, { timeoutMs }), null)
    return new Map(response?.auctions.map((auction) => [auction.listingId, auction]))
  }
  // A reader may wait for the call in progress and for its own.
  return coalesceReads({ load, maxWaitMs: 2 * timeoutMs, maxIds })
}
