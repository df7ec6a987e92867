import type { Client } from '@connectrpc/connect'
import type { Auction, AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { answerOr } from '@marketplace/kit/rpc.ts'
import { sharedCalls, type SharedCalls } from './shared-calls.ts'

// What one call may ask for.
const maxIds = 100

/** Open auctions as the auction service knows them now. */
export function liveAuctions(auctions: Client<typeof AuctionService>, timeoutMs: number): SharedCalls<Auction> {
  async function ask(listingIds: readonly string[]): Promise<ReadonlyMap<string, Auction>> {
    const answer = await answerOr(auctions.getAuctions({ listingIds: [...listingIds] }, { timeoutMs }), null)
    return new Map(answer?.auctions.map((auction) => [auction.listingId, auction]))
  }
  // A reader waits for the call under way and for its own.
  return sharedCalls({ ask, patienceMs: 2 * timeoutMs, maxIds })
}
