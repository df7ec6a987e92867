import type { AuctionState } from '../../rules/live.ts'

export type StreamedState = AuctionState & { server_time: string }

function isStreamedState(value: unknown): value is StreamedState {
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
    typeof value.server_time === 'string'
  )
}

/** The state in an event of the stream; null for what is none. */
export function readState(data: string): StreamedState | null {
  try {
    const value: unknown = JSON.parse(data)
    return isStreamedState(value) ? value : null
  } catch {
    return null
  }
}
