import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { databaseTime } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { publish } from '@marketplace/kit/outbox.ts'
import { DomainError, invalid, type ProblemDetail } from '@marketplace/kit/problem.ts'
import { answerOr503 } from '@marketplace/kit/rpc.ts'
import { isClosedBefore } from '../auction/auction-states.repo.ts'
import { findCategory } from '../category/categories.repo.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { brokenRules } from './draft-rules.ts'
import { makeListing, type Listing, type ListingDraft } from './listing.ts'
import { listingCreated } from './listings.events.ts'
import { insertListing } from './listings.repo.ts'

const unknownCategory = { path: 'category_id', message: 'Choose an existing category' }

/** A listing that breaks no rule; an auction is opened already, so that bids work as soon as its id is answered. */
export async function prepareListing(ctx: Context, sellerId: string, draft: ListingDraft): Promise<Listing> {
  const now = await databaseTime(ctx.db)
  const category = await findCategory(ctx.db, draft.categoryId)
  const broken = [...brokenRules(draft, now), ...(category ? [] : [unknownCategory])]
  if (!category || broken.length > 0) throw refusal(broken)
  const listing = makeListing(draft, { id: newId(), sellerId, category, now })
  if (listing.isAuction) await openAuction(ctx, listing)
  return listing
}

export async function createListing(trx: Trx, listing: Listing): Promise<Listing> {
  // Its end may have been told already, when the process was frozen until now.
  const isOver = listing.isAuction && (await isClosedBefore(trx, listing.id))
  const stored = { ...listing, isActive: !isOver }
  await insertListing(trx, stored)
  await publish(trx, listingCreated(stored))
  return stored
}

function refusal(details: readonly ProblemDetail[]): DomainError {
  return new DomainError('invalid', 'invalid', details[0]?.message ?? 'The listing is not valid', { details })
}

// ✗ after this: an auction that nobody can name, which ends by itself without a bid.
async function openAuction({ auctions, settings }: Context, listing: Listing): Promise<void> {
  const terms = {
    listingId: listing.id,
    sellerId: listing.sellerId,
    priceCents: listing.price,
    shippingCents: listing.shipping,
    title: listing.title,
    imageUrl: listing.imageUrls[0] ?? '',
  }
  const request = {
    terms,
    buyItNowCents: listing.buyItNow ?? undefined,
    endAt: listing.endsAt ? timestampFromDate(listing.endsAt) : undefined,
  }
  const opening = auctions.openAuction(request, { timeoutMs: settings.OPEN_AUCTION_MS })
  const { answer } = await answerOr503(opening, 'The auction service')
  if (answer.case === 'refused') throw invalid('auction_end_date', 'Auction end date must be in the future')
}
