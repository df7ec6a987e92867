import type { Client } from '@connectrpc/connect'
import type { Auction, AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { responseOr } from '@marketplace/kit/rpc/rpc.ts'
import { coalesceReads, type CoalescedReads } from '@marketplace/kit/cache/coalesce.ts'

// Maximum number of auctions that the auction service accepts in one GetAuctions call.
const maxIds = 100

/**
 * Creates a reader for the current states of open auctions in the auction service. `timeoutMs` is the deadline of one
 * call.
 */
export function createLiveAuctions(
  auctions: Client<typeof AuctionService>,
  timeoutMs: number,
): CoalescedReads<Auction> {
  async function load(listingIds: readonly string[]): Promise<ReadonlyMap<string, Auction>> {
    const response = await responseOr(auctions.getAuctions({ listingIds: [...listingIds] }, { timeoutMs }), null)
    return new Map(response?.auctions.map((auction) => [auction.listingId, auction]))
  }
  // A read returns null if its call does not start within twice the timeout of a call.
  return coalesceReads({ load, maxWaitMs: 2 * timeoutMs, maxIds })
}
