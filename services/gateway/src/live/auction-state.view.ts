import { Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import type { AuctionState } from './auction-state.ts'
import { maxBids } from './bid-lines.ts'

const eventIdPattern = /^(?<number>\d{1,15})(?<over>-over)?$/

const LiveBid = z.object({
  id: z.uuidv7(),
  amount: Cents,
  created_at: z.iso.datetime(),
  bidder: z.string().meta({ description: 'A masked name, a***e' }),
})

/** Data of one event in a live stream. */
export const AuctionStateView = z
  .object({
    listing_id: z.uuidv7(),
    current_bid: Cents.nullable(),
    bid_count: z.int(),
    auction_end_date: z.iso.datetime(),
    is_active: z.boolean(),
    number: z.int(),
    server_time: z.iso.datetime(),
    bids: z.array(LiveBid).max(maxBids).meta({ description: 'The newest bids, highest first.' }),
  })
  .meta({ id: 'AuctionState', description: 'Take no state whose number is below one that you have.' })

/** A state that is serialized as a server-sent event. */
export interface StateEvent {
  number: number
  isActive: boolean
  text: string
}

/** Serializes a state as a server-sent event. The text is the same for all subscribers, so it can be built once. */
export function toEvent(state: AuctionState, now: Date): StateEvent {
  const { number, isActive } = state
  return { number, isActive, text: `id: ${toEventId(state)}\ndata: ${JSON.stringify(toView(state, now))}\n\n` }
}

/**
 * The last state that a reconnecting client received, according to its Last-Event-ID header: the state's number, and
 * whether the auction had ended.
 */
export interface LastEvent {
  number: number
  hasEnded: boolean
}

export function readEventId(id: unknown): LastEvent | null {
  const groups = typeof id === 'string' ? eventIdPattern.exec(id)?.groups : undefined
  return groups ? { number: Number(groups['number']), hasEnded: groups['over'] !== undefined } : null
}

// Returns the event id of a state: its number, plus `-over` if the auction has ended, because the end does not always
// increase the number.
function toEventId({ number, isActive }: AuctionState): string {
  return isActive ? String(number) : `${number}-over`
}

function toView(state: AuctionState, now: Date): z.output<typeof AuctionStateView> {
  return {
    listing_id: state.listingId,
    current_bid: state.currentBid,
    bid_count: state.bidCount,
    auction_end_date: state.endsAt,
    is_active: state.isActive,
    number: state.number,
    server_time: now.toISOString(),
    bids: state.bids.map(({ id, amount, placedAt, bidder }) => ({ id, amount, created_at: placedAt, bidder })),
  }
}
