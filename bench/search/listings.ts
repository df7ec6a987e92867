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
export const conditions = ['new', 'like-new', 'good', 'fair', 'poor'] as const

const start = Date.UTC(2025, 0, 1)
const dayMs = 86_400_000

/** The columns of search's listings that are filled, in the order of `listingLine`. */
export const columns = [
  'id', 'version', 'seller_id', 'title', 'description', 'category_id', 'category_name', 'category_slug', 'condition',
  'is_auction', 'price_cents', 'starting_bid_cents', 'current_bid_cents', 'auction_end_at', 'shipping_cents', 'location',
  'is_active', 'accept_offers', 'is_on_sale', 'view_count', 'image_urls', 'created_at', 'updated_at',
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
  const values = [
    idOf(createdAt, chance), 1, idOf(start, random(number % 5000)), sentence(6, chance), sentence(18, chance),
    category + 1, categories[category], categories[category], chance.pick(conditions),
    isAuction, cents, isAuction ? cents : null, isAuction && chance.next() < 0.6 ? cents + chance.below(5000) : null,
    isAuction ? instant(now + dayMs + chance.below(9 * dayMs)) : null, 450, 'Portland, OR',
    true, !isAuction, false, chance.below(500), '["https://pictures.example/1.jpg"]', instant(createdAt), instant(createdAt),
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
