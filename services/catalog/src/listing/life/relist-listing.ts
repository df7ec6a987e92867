import { databaseTime } from '@marketplace/kit/db/db.ts'
import { conflict } from '@marketplace/kit/errors/problem.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import { requireActiveListingQuota } from '../../quota/listing-quota.ts'
import { lockQuota } from '../../quota/quotas.repo.ts'
import type { Listing } from '../listing.ts'
import { listingChanged } from '../listings.events.ts'
import { saveListing } from '../listings.repo.ts'
import { insertInactivePeriod } from '../history/inactive-periods.repo.ts'
import type { ListingEdit } from './edit.ts'
import { soldError } from './life-errors.ts'
import { lockOwnListing, type ListingCommand } from './lock-own-listing.ts'
import { reviseListing } from './revise-listing.ts'
import { changed } from './status.ts'

export interface RelistCommand extends ListingCommand {
  edit: Pick<ListingEdit, 'price' | 'shipping'>
}

/**
 * Makes an ended listing active again, at a new price if one is given. If the listing is already active, returns it
 * unchanged. Throws `missing` (404), `not_owner` (403), `invalid` (400), or a conflict (409): `wrong_kind`, `sold`,
 * `removed`, `too_many_listings` or `too_many_edits`.
 */
export async function relistListing(
  ctx: Pick<Context, 'settings'>,
  trx: Trx,
  { edit, ...command }: RelistCommand,
): Promise<Listing> {
  const listing = await lockOwnListing(trx, command)
  if (listing.status === 'sold') throw soldError()
  if (listing.isActive) return listing
  if (listing.endReason !== 'seller') throw conflict('removed', 'This listing was removed and cannot be relisted.')
  await lockQuota(trx, 'listings', listing.sellerId)
  await requireActiveListingQuota(trx, listing.sellerId, ctx.settings)
  const now = await databaseTime(trx)
  if (listing.endedAt) await insertInactivePeriod(trx, listing.id, { from: listing.endedAt, until: now })
  const revised = Object.keys(edit).length > 0 ? await reviseListing(ctx, trx, listing, { edit, now }) : listing
  const active = { isActive: true, status: 'active', endedAt: null, endReason: null } as const
  const relisted = { ...changed(listing, {}, now), ...termsOf(revised), ...active }
  await saveListing(trx, relisted)
  await publish(trx, listingChanged(relisted))
  return relisted
}

function termsOf({ price, shipping, originalPrice, originalPriceKind, termsVersion }: Listing) {
  return { price, shipping, originalPrice, originalPriceKind, termsVersion }
}
