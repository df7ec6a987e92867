import { conditions, type ListingDocument } from '@marketplace/contracts/listing.ts'
import { random, type Random } from '../harness/random.ts'
import { commonWord } from './words.ts'

export const categories = [
  'electronics',
  'clothing',
  'home-decor',
  'books',
  'sports',
  'toys',
  'art',
  'music',
  'garden',
  'watches',
] as const

/** Words of titles that have synonyms: some listings have one of them. */
export const wordsWithSynonyms = [
  'sofa',
  'couch',
  'bike',
  'bicycle',
  'jacket',
  'coat',
  'laptop',
  'rug',
  'carpet',
] as const

export const places = ['Portland, OR', 'Austin, TX', 'Chicago, IL', 'Boise, ID', 'Reno, NV'] as const

const start = Date.UTC(2025, 0, 1)
const dayMs = 86_400_000

/** The columns of search's listings that are filled, in the order of `listingLine`. */
export const columns = [
  'id', 'version', 'seller_id', 'title', 'description', 'category_id', 'category_name', 'category_slug', 'condition',
  'is_auction', 'price_cents', 'starting_bid_cents', 'current_bid_cents', 'auction_end_at', 'shipping_cents', 'location',
  'is_active', 'accept_offers', 'is_on_sale', 'view_count', 'image_urls', 'created_at', 'updated_at', 'body',
] // oxfmt-ignore

/**
 * Returns the listing of this number as a line of COPY. Deterministic, except that auctions end some days after `now`.
 */
export function listingLine(number: number, now: number): string {
  const chance = random(number + 1)
  const category = chance.below(categories.length)
  const isAuction = chance.next() < 0.3
  const cents = Math.round(100 * 10 ** (0.5 + chance.next() * 3))
  const createdAt = start + number * 29_000 + chance.below(29_000)
  const document: ListingDocument = {
    id: idOf(createdAt, chance),
    version: 1,
    user_id: idOf(start, random(number % 5000)),
    title: sentence(6, chance) + (chance.next() < 0.05 ? ` ${chance.pick(wordsWithSynonyms)}` : ''),
    description: sentence(18, chance),
    price: cents,
    category_id: category + 1,
    category_name: categories[category] ?? '',
    category_slug: categories[category] ?? '',
    condition: chance.pick(conditions),
    is_auction: isAuction,
    auction_end_date: null,
    starting_bid: isAuction ? cents : null,
    buy_it_now_price: null,
    shipping_cost: chance.next() < 0.2 ? 0 : 450,
    location: chance.pick(places),
    accept_offers: !isAuction,
    is_on_sale: false,
    original_price: null,
    image_urls: ['https://pictures.example/1.jpg'],
    created_at: instant(createdAt),
    updated_at: instant(createdAt),
  }
  const bid = isAuction && chance.next() < 0.6 ? cents + chance.below(5000) : null
  document.auction_end_date = isAuction ? instant(now + dayMs + chance.below(9 * dayMs)) : null
  const values = [
    document.id, document.version, document.user_id, document.title, document.description,
    document.category_id, document.category_name, document.category_slug, document.condition,
    isAuction, cents, document.starting_bid, bid, document.auction_end_date, document.shipping_cost, document.location,
    true, document.accept_offers, document.is_on_sale, chance.below(500), JSON.stringify(document.image_urls),
    document.created_at, document.updated_at, JSON.stringify(document),
  ] // oxfmt-ignore
  return `${values.map((value) => (value === null ? String.raw`\N` : String(value))).join('\t')}\n`
}

function sentence(count: number, random: Random): string {
  return Array.from({ length: count }, () => commonWord(random)).join(' ')
}

// Returns a UUID of version 7, like those of the services.
function idOf(atMs: number, random: Random): string {
  const hex = (digits: number) =>
    random
      .below(16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  const time = atMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
