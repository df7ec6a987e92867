import { newId } from '@marketplace/kit/values/ids.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { findRevision, hasSameTerms } from '../listing/history/history.repo.ts'
import { changeStatuses } from '../listing/life/change-statuses.ts'
import { listingChangedError } from '../listing/life/life-errors.ts'
import { reserve } from '../listing/life/status.ts'
import type { Listing } from '../listing/listing.ts'
import { createHold } from '../sale/hold.ts'
import { findLiveHold, insertHold } from '../sale/holds.repo.ts'
import { requireOfferQuota } from './offer-quota.ts'
import { lockOwnOffer, type OfferCommand } from './lock-offer.ts'
import {
  createOffer,
  requireAcceptableAmount,
  requireActive,
  requireRespondable,
  requireWithdrawable,
  withStatus,
  type Offer,
  type OfferDraft,
} from './offer.ts'
import { offerAccepted } from './offers.events.ts'
import { insertOffer, saveOffer } from './offers.repo.ts'

/** Accepts an offer. Holds the item for the buyer at the offered amount until the payment deadline. */
export async function acceptOffer({ settings }: Context, trx: Trx, command: OfferCommand): Promise<Offer> {
  const { listing, offer, side, now } = await lockOwnOffer(trx, command)
  requireRespondable(offer, side, now)
  requireActive(listing)
  if (await findLiveHold(trx, listing.id)) throw conflict('reserved', 'Another buyer is checking out this item.')
  await requireUnchangedTerms(trx, listing, offer)
  requireAcceptableAmount(offer)
  const accepted = withStatus(offer, 'accepted', now)
  const dueAt = new Date(now.getTime() + settings.OFFER_PAYMENT_WINDOW_MS)
  const { buyerId, amount: price, id } = accepted
  const hold = createHold(
    { ...listing, shipping: offer.shipping },
    { saleId: newId(), buyerId, price, offer: { id, dueAt } },
  )
  await saveOffer(trx, accepted)
  await insertHold(trx, hold)
  const versions = await changeStatuses(trx, [{ listingId: listing.id, change: reserve(dueAt) }])
  const version = versions.get(listing.id) ?? listing.version
  await publish(trx, offerAccepted({ ...listing, version }, hold, { id, dueAt }))
  return accepted
}

// Throws `listing_changed` (409) if the listing's terms have changed since the offer was made. A new price is allowed,
// because the offer has its own price.
async function requireUnchangedTerms(trx: Trx, listing: Listing, { termsVersion }: Offer): Promise<void> {
  if (termsVersion === listing.termsVersion) return
  const offered = await findRevision(trx, listing.id, termsVersion)
  const current = await findRevision(trx, listing.id, listing.termsVersion)
  if (!offered || !current || !hasSameTerms(offered, current)) {
    throw listingChangedError('The listing was changed after this offer was made. Review it, then make a counteroffer.')
  }
}

export async function rejectOffer(trx: Trx, command: OfferCommand): Promise<Offer> {
  const { offer, side, now } = await lockOwnOffer(trx, command)
  requireRespondable(offer, side, now)
  const rejected = withStatus(offer, 'rejected', now)
  await saveOffer(trx, rejected)
  return rejected
}

export async function withdrawOffer(trx: Trx, command: OfferCommand): Promise<Offer> {
  const { offer, side, now } = await lockOwnOffer(trx, command)
  requireWithdrawable(offer, side, now)
  const withdrawn = withStatus(offer, 'withdrawn', now)
  await saveOffer(trx, withdrawn)
  return withdrawn
}

/** Rejects an offer and makes a new offer to the other side. */
export async function counterOffer(
  { settings }: Context,
  trx: Trx,
  { draft, ...command }: OfferCommand & { draft: OfferDraft },
): Promise<Offer> {
  const { listing, offer, side, now } = await lockOwnOffer(trx, command)
  requireRespondable(offer, side, now)
  requireActive(listing)
  const { buyerId } = offer
  const counter = createOffer(listing, draft, { id: newId(), buyerId, madeBy: side, ttlMs: settings.OFFER_TTL_MS, now })
  await saveOffer(trx, withStatus(offer, 'rejected', now))
  // Counteroffers by sellers need no quota: each responds to a buyer's offer, and the offers of buyers are limited.
  if (side === 'buyer') await requireOfferQuota(trx, buyerId, settings.MAX_PENDING_OFFERS)
  await insertOffer(trx, counter)
  return counter
}
