import { z } from 'zod'
import { ListingView } from './listing.ts'
import { ListingPictureView } from './pictures.ts'

/**
 * How a listing matches a search:
 * - `title`: the title has all words.
 * - `description`: the title and the description together have all words.
 * - `related`: some words match only a synonym or the category.
 * - `fuzzy`: words match only with spelling tolerance.
 */
const matchKinds = ['title', 'description', 'related', 'fuzzy'] as const

/** A listing as shown on a card: only the fields that a card needs, and only the first picture. */
export const ListingCardView = ListingView.omit({
  category_id: true,
  accept_offers: true,
  image_urls: true,
  image_urls_parsed: true,
  pictures: true,
  updated_at: true,
  terms_version: true,
  reserved_until: true,
  ended_at: true,
  end_reason: true,
  original_price_kind: true,
})
  .extend({
    picture: z.string().nullable(),
    /**
     * Properties of `picture`, such as widths and formats. Null if there is no picture or if the seller entered an
     * image URL.
     */
    picture_facts: ListingPictureView.omit({ url: true }).meta({ id: 'PictureFacts' }).nullable(),
    picture_count: z.int(),
    /** How the listing matches the search; null in lists without a search. */
    match: z.enum(matchKinds).nullable(),
  })
  .meta({ id: 'ListingCard' })

export type ListingCardView = z.output<typeof ListingCardView>

/** An item in a list of listings: a `ListingCardView` if the request has `fields=card`, otherwise a `ListingView`. */
export const ListedView = z.union([ListingCardView, ListingView])

/** Query parameter of lists of listings. */
export const listedParameters = { fields: z.enum(['card'], { error: 'Must be card' }).optional() }

/** Returns the listing's card if `fields` is `card`, otherwise `view` unchanged. */
export function toListedView(
  view: ListingView,
  fields: 'card' | undefined,
  match: ListingCardView['match'] = null,
): z.output<typeof ListedView> {
  return fields === undefined ? view : toListingCard(view, match)
}

/** Returns the card of a listing. */
export function toListingCard(view: ListingView, match: ListingCardView['match']): ListingCardView {
  const { category_id: _id, accept_offers: _offers, updated_at: _at, image_urls: _urls, ...rest } = view
  const { terms_version: _version, reserved_until: _until, ended_at: _end, end_reason: _reason, ...listed } = rest
  const { original_price_kind: _kind, image_urls_parsed: urls, pictures, ...card } = listed
  const [url = null] = urls
  return { ...card, picture: url, picture_facts: factsOf(pictures[0]), picture_count: urls.length, match }
}

function factsOf(picture: ListingPictureView | undefined): ListingCardView['picture_facts'] {
  if (picture === undefined || picture.base === null) return null
  const { url: _, ...facts } = picture
  return facts
}
