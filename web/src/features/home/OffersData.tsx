import type { Listing } from '../../api/types.ts'
import { shownPrice } from '../../rules/listing.ts'
import { toDollars } from '../../rules/money.ts'
import { StructuredData } from '../../ui/StructuredData.tsx'

/** The first ten listings as offers, for search engines. */
export function OffersData({ listings }: { listings: Listing[] }) {
  const offers = listings.slice(0, 10).map((listing) => ({
    '@type': 'Offer',
    url: `${window.location.origin}/listing/${listing.id}`,
    price: toDollars(shownPrice(listing)).toFixed(2),
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
    itemOffered: { '@type': 'Product', name: listing.title, image: listing.image_urls_parsed },
  }))
  const site = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Marketplace',
    url: window.location.origin,
  }
  return <StructuredData data={{ ...site, mainEntity: { '@type': 'OfferCatalog', itemListElement: offers } }} />
}
