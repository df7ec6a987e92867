import { databaseTime } from '@marketplace/kit/db/db.ts'
import { conflict } from '@marketplace/kit/errors/problem.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import type { Listing } from '../listing.ts'
import { listingChanged } from '../listings.events.ts'
import { saveListing } from '../listings.repo.ts'
import type { ListingEdit } from './edit.ts'
import { listingChangedError } from './life-errors.ts'
import { lockOwnListing, requireFree, type ListingCommand } from './lock-own-listing.ts'
import { reviseListing } from './revise-listing.ts'

export interface EditCommand extends ListingCommand {
  /** The terms version on which the edit is based. */
  listingVersion: number
  edit: ListingEdit
}

/**
 * Edits an active listing. Throws `missing` (404), `not_owner` (403), `invalid` (400), or a conflict (409):
 * `wrong_kind`, `sold`, `reserved`, `ended`, `too_many_edits`, or `listing_changed` if the edit is based on an earlier
 * version of the terms.
 */
export async function editListing(
  ctx: Pick<Context, 'settings'>,
  trx: Trx,
  { listingVersion, edit, ...command }: EditCommand,
): Promise<Listing> {
  const listing = await lockOwnListing(trx, command)
  await requireFree(trx, listing)
  if (!listing.isActive) throw conflict('ended', 'This listing has ended. Relist it first.')
  if (listing.termsVersion !== listingVersion) {
    throw listingChangedError('This listing was changed in the meantime. Reload it and edit it again.')
  }
  const edited = await reviseListing(ctx, trx, listing, { edit, now: await databaseTime(trx) })
  await saveListing(trx, edited)
  await publish(trx, listingChanged(edited))
  return edited
}
