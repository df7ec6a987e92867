import { databaseTime } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import { completeOpening } from '../auction/auction-openings.repo.ts'
import { lockAuctionState } from '../auction/auction-states.repo.ts'
import { auctionDropped, openAuction } from '../auction/open-auction.ts'
import { findCategory } from '../category/categories.repo.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { resolvePictures, usePictures } from '../picture/use-pictures.ts'
import { lockQuota } from '../quota/quotas.repo.ts'
import { requireListingQuota } from '../quota/listing-quota.ts'
import { validateDraft } from './draft-rules.ts'
import { insertPrice, insertRevision } from './history/history.repo.ts'
import { makeListing, type Listing, type ListingDraft } from './listing.ts'
import { listingCreated } from './listings.events.ts'
import { insertListing } from './listings.repo.ts'
import { unknownCategory, validationError } from './validation-error.ts'

const closedAuction = { isActive: false, status: 'ended', endReason: 'auction' } as const

/**
 * Validates the draft and returns the listing to store. If the listing is an auction, opens the auction before the
 * listing is stored, so that bids work as soon as the client receives the listing's id. Throws `invalid` (400) if the
 * draft is invalid, `too_many_listings` (409) if the seller's quota is used up, or `unavailable` (503) if the auction
 * cannot be opened.
 */
export async function prepareListing(
  ctx: Pick<Context, 'db' | 'auctions' | 'settings'>,
  sellerId: string,
  draft: ListingDraft,
): Promise<Listing> {
  const now = await databaseTime(ctx.db)
  const category = await findCategory(ctx.db, draft.categoryId)
  const problems = [...validateDraft(draft, now), ...(category ? [] : [unknownCategory])]
  if (!category || problems.length > 0) throw validationError(problems)
  // This early check avoids opening an auction for a listing that exceeds the quota. `createListing` checks the quota
  // again, under a lock.
  await requireListingQuota(ctx.db, sellerId, ctx.settings)
  const pictures = await resolvePictures(ctx.db, sellerId, draft.pictures)
  const listing = makeListing(draft, { id: newId(), sellerId, category, pictures, now })
  if (listing.isAuction) await openAuction(ctx, listing)
  return listing
}

/**
 * Stores a prepared listing. Throws `too_many_listings` (409) if the seller's quota is used up, or `unavailable` (503)
 * if a sweep has dropped the auction because the listing was not stored within an hour.
 */
export async function createListing(
  { settings }: Pick<Context, 'settings'>,
  trx: Trx,
  listing: Listing,
): Promise<Listing> {
  await lockQuota(trx, 'listings', listing.sellerId)
  await requireListingQuota(trx, listing.sellerId, settings)
  if (listing.isAuction && !(await completeOpening(trx, listing.id))) throw auctionDropped()
  // The auction is already closed if its end passed between the OpenAuction call and this transaction, for example
  // because this process was suspended.
  const isClosed = listing.isAuction && (await lockAuctionState(trx, listing.id)).isClosed
  const stored = isClosed ? { ...listing, ...closedAuction, endedAt: listing.createdAt } : listing
  await insertListing(trx, stored)
  await insertRevision(trx, stored)
  if (!stored.isAuction) await insertPrice(trx, stored.id, { price: stored.price, from: stored.createdAt })
  await usePictures(trx, listing)
  await publish(trx, listingCreated(stored))
  return stored
}
