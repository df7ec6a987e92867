import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { z } from 'zod'
import { parseAuctionUpdate as read } from '../../../../../services/gateway/src/live/auction-update.ts'
import type { AuctionUpdate } from '../../../../../services/gateway/src/live/auction-state.ts'

export * from '../../../../../services/gateway/src/live/auction-update.ts'

const Payload = z.object({ leader: z.string().default('') })

/** Also reads the leader, a field of the event in the next version. */
export function parseAuctionUpdate(event: BusEvent): AuctionUpdate | null {
  const update = read(event)
  if (!update?.bid) return update
  return { ...update, bid: Object.assign(update.bid, Payload.parse(event.payload)) }
}
