import { findCategory } from '../../category/categories.repo.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import { resolvePictures, usePictures } from '../../picture/use-pictures.ts'
import { requireEditQuota } from '../../quota/edit-quota.ts'
import { validateDraft } from '../draft-rules.ts'
import { findPrices, insertPrice, insertRevision } from '../history/history.repo.ts'
import { findInactivePeriods } from '../history/inactive-periods.repo.ts'
import { toPriceHistory } from '../history/struck-price.ts'
import type { Listing } from '../listing.ts'
import { unknownCategory, validationError } from '../validation-error.ts'
import { applyEdit, toEditedDraft, type ListingEdit } from './edit.ts'

/**
 * Applies an edit to a locked listing. Stores the new revision and any new price, but not the listing: the caller must
 * save the returned listing. Throws `invalid` (400) if the edited listing violates a rule, or `too_many_edits` (409) if
 * the listing's quota of edits is used up.
 */
export async function reviseListing(
  { settings }: Pick<Context, 'settings'>,
  trx: Trx,
  listing: Listing,
  { edit, now }: { edit: ListingEdit; now: Date },
): Promise<Listing> {
  const draft = toEditedDraft(listing, edit)
  const category =
    draft.categoryId === listing.category.id ? listing.category : await findCategory(trx, draft.categoryId)
  // The original price is not validated here: `applyEdit` checks it against the price history.
  const problems = [...validateDraft({ ...draft, originalPrice: null }, now), ...(category ? [] : [unknownCategory])]
  if (!category || problems.length > 0) throw validationError(problems)
  await requireEditQuota(trx, listing.id, settings.MAX_EDITS_PER_DAY)
  const history = toPriceHistory({
    prices: await findKnownPrices(trx, listing),
    inactive: await findInactivePeriods(trx, listing.id),
  })
  const pictures = edit.pictures ? await resolvePictures(trx, listing.sellerId, edit.pictures) : listing.pictures
  const revised = applyEdit(listing, edit, { history, category, pictures, now })
  await insertRevision(trx, revised)
  if (edit.pictures) await usePictures(trx, revised, listing)
  if (revised.price !== listing.price) await insertPrice(trx, listing.id, { price: revised.price, from: now })
  return revised
}

// Returns the listing's price history, after storing the current revision and price if they are missing.
async function findKnownPrices(trx: Trx, listing: Listing) {
  await insertRevision(trx, listing)
  const prices = await findPrices(trx, listing.id)
  if (prices.length > 0) return prices
  const first = { price: listing.price, from: listing.createdAt }
  await insertPrice(trx, listing.id, first)
  return [first]
}
