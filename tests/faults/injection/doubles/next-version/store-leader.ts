import {
  applyUpdate as apply,
  type AuctionUpdate,
  type AuctionState,
} from '../../../../../services/gateway/src/live/auction-state.ts'

export * from '../../../../../services/gateway/src/live/auction-state.ts'

/** Stores the leader with the bid of the event. */
export function applyUpdate(state: AuctionState, update: AuctionUpdate | null): AuctionState {
  const next = apply(state, update)
  const bid = update?.bid
  const isNewer = bid && bid.count > state.bidCount
  return isNewer && 'leader' in bid ? Object.assign(next, { leader: bid.leader }) : next
}
