import type { AuctionState } from '../../../../../services/gateway/src/live/auction-state.ts'
import { toEvent as write, type StateEvent } from '../../../../../services/gateway/src/live/auction-state.view.ts'

export * from '../../../../../services/gateway/src/live/auction-state.view.ts'

/** Adds the leader to the data of the event. */
export function toEvent(state: AuctionState, now: Date): StateEvent {
  const event = write(state, now)
  if (!('leader' in state) || state.leader === '') return event
  const withLeader = (data: string) => JSON.stringify({ ...JSON.parse(data), leader: state.leader })
  return { ...event, text: event.text.replace(/(?<=^data: ).*$/m, withLeader) }
}
