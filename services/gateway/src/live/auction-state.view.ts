import { Cents } from '@marketplace/kit/money.ts'
import { z } from 'zod'
import type { AuctionState } from './auction-state.ts'

const eventIdForm = /^(?<number>\d{1,15})(?<over>-over)?$/

/** The data of each event of a live stream. */
export const AuctionStateView = z
  .object({
    listing_id: z.uuidv7(),
    current_bid: Cents.nullable(),
    bid_count: z.int(),
    auction_end_date: z.iso.datetime(),
    is_active: z.boolean(),
    number: z.int(),
    server_time: z.iso.datetime(),
  })
  .meta({ id: 'AuctionState', description: 'Take no state whose number is below one that you have.' })

/** A state as it is sent. */
export interface StateEvent {
  number: number
  isActive: boolean
  text: string
}

/** Made once for all who are sent it at this instant. */
export function toEvent(state: AuctionState, now: Date): StateEvent {
  const { number, isActive } = state
  return { number, isActive, text: `id: ${toEventId(state)}\ndata: ${JSON.stringify(toView(state, now))}\n\n` }
}

/** What a client says when it comes back: the newest state that it has, and whether that was the end. */
export interface LastEvent {
  number: number
  isOver: boolean
}

export function readEventId(id: unknown): LastEvent | null {
  const groups = typeof id === 'string' ? eventIdForm.exec(id)?.groups : undefined
  return groups ? { number: Number(groups['number']), isOver: groups['over'] !== undefined } : null
}

// The number alone does not say it: whoever reads an ended auction finds the number of its bids, as while it was open.
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
  }
}
