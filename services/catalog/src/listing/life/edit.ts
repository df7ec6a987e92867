import { pictureReference, type StoredPicture } from '@marketplace/contracts/pictures.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'
import { idOfKey } from '../../picture/picture.ts'
import type { Category, Listing, ListingDraft } from '../listing.ts'
import { changed } from './status.ts'
import { provenPrice, type PriceHistory } from '../history/struck-price.ts'

type EditableFields = Omit<ListingDraft, 'isAuction' | 'price' | 'startingBid' | 'buyItNow' | 'endsAt'> & {
  price: Cents
}

/** A seller's changes to the fields of a fixed-price listing. */
export type ListingEdit = Partial<EditableFields>

/** Returns the edited listing as a draft that can be validated. */
export function toEditedDraft(listing: Listing, edit: ListingEdit): ListingDraft & { price: Cents } {
  const { category, pictures: stored, ...fields } = listing
  const pictures = stored.map((picture) =>
    'key' in picture ? { id: idOfKey(picture.key), alt: picture.alt } : picture,
  )
  return { ...fields, categoryId: category.id, picturesField: 'pictures', pictures, ...edit }
}

export interface EditContext {
  /** The history of the listing before the edit. */
  history: PriceHistory
  /** The category after the edit. */
  category: Category
  pictures: readonly StoredPicture[]
  now: Date
}

/**
 * Returns the listing after an edit. Throws `invalid` (400) if the edit sets a crossed-out original price that is not
 * the lowest price of the 30 days before the price reduction.
 */
export function applyEdit(
  listing: Listing,
  edit: ListingEdit,
  { history, category, pictures, now }: EditContext,
): Listing {
  const { categoryId: _, originalPrice: _price, picturesField: _field, pictures: _chosen, ...fields } = edit
  const shown = { category, pictures, imageUrls: pictures.map(pictureReference) }
  const next = { ...fields, ...originalPriceAfter(listing, edit, { history, now }) }
  return changed(listing, { ...next, ...shown, termsVersion: listing.termsVersion + 1 }, now)
}

function originalPriceAfter(
  listing: Listing,
  edit: ListingEdit,
  { history, now }: Pick<EditContext, 'history' | 'now'>,
): Pick<Listing, 'originalPrice' | 'originalPriceKind'> {
  const none = { originalPrice: null, originalPriceKind: null }
  if (!(edit.isOnSale ?? listing.isOnSale) || edit.originalPrice === null) return none
  const price = edit.price ?? listing.price
  const isUnchanged = price === listing.price
  const current = isUnchanged ? listing.originalPrice : null
  const { prices } = history
  const reduction = isUnchanged ? prices.at(-1) : { price, from: now }
  const before = { ...history, prices: isUnchanged ? prices.slice(0, -1) : prices }
  const proven = current ?? (reduction ? provenPrice(before, reduction) : null)
  if (edit.originalPrice !== undefined && edit.originalPrice !== proven) {
    throw invalid('original_price', 'Original price can only be the lowest price of the 30 days before the reduction')
  }
  if (proven === null) return none
  return { originalPrice: proven, originalPriceKind: current === null ? 'proven' : listing.originalPriceKind }
}
