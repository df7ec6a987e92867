import type { CardListing } from '../../../api/client/types.ts'
import { shownPrice } from '../../../rules/listing.ts'
import { toDollars } from '../../../rules/money.ts'

function absoluteUrl(picture: string | null, origin: string): string | undefined {
  return picture === null ? undefined : new URL(picture, origin).href
}

/** Builds structured data (schema.org) that describes the first ten listings as offers. */
export function offersData(listings: CardListing[], origin: string) {
  const offers = listings.slice(0, 10).map((listing) => ({
    '@type': 'Offer',
    url: `${origin}/listing/${listing.id}`,
    price: toDollars(shownPrice(listing)).toFixed(2),
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
    itemOffered: { '@type': 'Product', name: listing.title, image: absoluteUrl(listing.picture, origin) },
  }))
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Marketplace',
    url: origin,
    mainEntity: { '@type': 'OfferCatalog', itemListElement: offers },
  }
}
