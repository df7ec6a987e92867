import type { CardListing } from '../../../api/client/types.ts'
import { parseDollars } from '../../../rules/money.ts'
import { parseLocalInput } from '../../../rules/time.ts'
import type { Draft } from '../draft.ts'

/** Converts a draft to a listing for the preview card. */
export function toPreview(draft: Draft, categoryName: string, now: Date): CardListing {
  const price = parseDollars(draft.isAuction ? draft.startingBid : draft.price) ?? 0
  const endsAt = draft.isAuction ? parseLocalInput(draft.endsAt) : null
  return {
    id: '',
    user_id: '',
    title: draft.title.trim() || 'Your title',
    description: draft.description,
    price,
    category: { id: Number(draft.categoryId), name: categoryName, slug: '' },
    condition: draft.condition,
    is_auction: draft.isAuction,
    auction_end_date: endsAt?.toISOString() ?? null,
    starting_bid: draft.isAuction ? price : null,
    current_bid: null,
    buy_it_now_price: null,
    shipping_cost: parseDollars(draft.shippingCost) ?? 0,
    location: draft.location,
    is_active: true,
    status: 'active',
    is_on_sale: draft.isOnSale,
    original_price: draft.isOnSale ? parseDollars(draft.originalPrice) : null,
    view_count: 0,
    picture: draft.images[0]?.url ?? null,
    picture_facts: null,
    picture_count: draft.images.length,
    match: null,
    created_at: now.toISOString(),
  }
}
