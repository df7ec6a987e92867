import { expandPicture } from '@marketplace/contracts/pictures.ts'
import { Cents, positiveDollars } from '@marketplace/kit/values/money.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import type { CatalogSettings } from '../config.ts'
import { applyExpiry, offerSides, offerStatuses, type Offer, type OfferDraft } from './offer.ts'
import type { NamedOffer } from './read-offers.ts'

/** Body fields of an offer and of a counter-offer. An empty message is stored as null. */
export const offerFields = {
  amount: positiveDollars('Offer amount must be greater than $0.00').meta({
    description: 'US dollars, at most two decimals. The shipping cost can be at most $200.00 plus twice the amount',
  }),
  message: text({ max: 1000, tooLong: 'A message must have at most 1000 characters' }).nullish(),
}

export const OfferView = z
  .strictObject({
    id: z.uuidv7(),
    listing_id: z.uuidv7(),
    listing_title: z.string(),
    buyer_id: z.uuidv7(),
    made_by: z.enum(offerSides),
    amount: Cents,
    message: z.string().nullable(),
    status: z.enum(offerStatuses),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    expires_at: z.iso.datetime().meta({ description: 'A pending offer counts as withdrawn from then on' }),
  })
  .meta({ id: 'Offer' })

export const ListedOfferView = OfferView.extend({
  listing_image_url: z.string().nullable(),
  other_user_name: z
    .string()
    .nullable()
    .meta({ description: 'Name of the other side: of the seller for the buyer, of the buyer for the seller' }),
}).meta({ id: 'ListedOffer' })

export function toDraft({ amount, message }: { amount: Cents; message?: string | null | undefined }): OfferDraft {
  return { amount, message: message || null }
}

export function toOfferView(offer: Offer): z.output<typeof OfferView> {
  return {
    id: offer.id,
    listing_id: offer.listingId,
    listing_title: offer.listingTitle,
    buyer_id: offer.buyerId,
    made_by: offer.madeBy,
    amount: offer.amount,
    message: offer.message,
    status: offer.status,
    created_at: offer.createdAt.toISOString(),
    updated_at: offer.updatedAt.toISOString(),
    expires_at: offer.expiresAt.toISOString(),
  }
}

export function toListedOfferView(
  { offer, picture, otherUserName, readAt }: NamedOffer,
  { PICTURES_ORIGIN }: Pick<CatalogSettings, 'PICTURES_ORIGIN'>,
): z.output<typeof ListedOfferView> {
  return {
    ...toOfferView(applyExpiry(offer, readAt)),
    listing_image_url: picture === null ? null : expandPicture(picture, PICTURES_ORIGIN),
    other_user_name: otherUserName,
  }
}
