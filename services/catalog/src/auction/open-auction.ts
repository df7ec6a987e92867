import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import { invalid, unavailable, type DomainError } from '@marketplace/kit/errors/problem.ts'
import { responseOr503 } from '@marketplace/kit/rpc/rpc.ts'
import type { Context } from '../context.ts'
import type { Listing } from '../listing/listing.ts'
import { insertOpening } from './auction-openings.repo.ts'

const auctionService = 'The auction service'

/**
 * Opens the auction of a new listing in the auction service, before the listing is stored. First commits a row in
 * `auction_openings`. If the listing is not stored within an hour, for example because this process crashed, a periodic
 * sweep finds this row and drops the auction. Throws `invalid` (400) if the auction's end has passed, or `unavailable`
 * (503) if the auction service fails.
 */
export async function openAuction(
  { db, auctions, settings }: Pick<Context, 'db' | 'auctions' | 'settings'>,
  listing: Listing,
): Promise<void> {
  await insertOpening(db, listing.id)
  const call = auctions.openAuction(toRequest(listing), { timeoutMs: settings.OPEN_AUCTION_TIMEOUT_MS })
  const { answer } = await responseOr503(call.catch(rethrowDropped), auctionService)
  if (answer.case === 'refused') throw invalid('auction_end_date', 'Auction end date must be in the future')
}

/**
 * Error 503 for a new listing whose auction was dropped before the listing was stored. A retry can succeed, because it
 * creates a new listing id and a new auction.
 */
export function auctionDropped(): DomainError {
  return unavailable(auctionService)
}

function rethrowDropped(error: unknown): never {
  throw error instanceof ConnectError && error.code === Code.FailedPrecondition ? auctionDropped() : error
}

function toRequest(listing: Listing) {
  const terms = {
    listingId: listing.id,
    sellerId: listing.sellerId,
    priceCents: listing.price,
    shippingCents: listing.shipping,
    title: listing.title,
    imageUrl: listing.imageUrls[0] ?? '',
  }
  return {
    terms,
    buyItNowCents: listing.buyItNow ?? undefined,
    endAt: listing.endsAt ? timestampFromDate(listing.endsAt) : undefined,
  }
}
