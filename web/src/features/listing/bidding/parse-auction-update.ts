import type { AuctionUpdate } from '../../../rules/live.ts'

export type StreamedUpdate = AuctionUpdate & { server_time: string }

function isBidLine(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'amount' in value &&
    'created_at' in value &&
    'bidder' in value
  )
}

function isStreamedUpdate(value: unknown): value is StreamedUpdate {
  return (
    typeof value === 'object' &&
    value !== null &&
    'listing_id' in value &&
    'bid_count' in value &&
    typeof value.bid_count === 'number' &&
    'is_active' in value &&
    typeof value.is_active === 'boolean' &&
    'current_bid' in value &&
    'auction_end_date' in value &&
    'server_time' in value &&
    typeof value.server_time === 'string' &&
    (!('bids' in value) || (Array.isArray(value.bids) && value.bids.every(isBidLine)))
  )
}

/** Parses an event of the live stream. Returns null if the event is not an auction update. */
export function parseAuctionUpdate(data: string): StreamedUpdate | null {
  try {
    const value: unknown = JSON.parse(data)
    return isStreamedUpdate(value) ? value : null
  } catch {
    return null
  }
}
