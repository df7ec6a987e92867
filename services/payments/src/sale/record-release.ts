import { publish } from '@marketplace/kit/outbox.ts'
import type { PaymentsSettings } from '../config.ts'
import type { Trx } from '../db.ts'
import { saleReleased } from './sale-events.ts'
import { markReleased } from './sale-moves.repo.ts'
import type { ReleaseReason, Sale } from './sale.ts'

export interface Release {
  sale: Sale
  reason: ReleaseReason
}

/**
 * The end of a sale without payment, and its event. Nobody may be able to pay it any more: no secret was answered, or
 * its intent is cancelled. Undefined when somebody else moved it first.
 */
export async function recordRelease(
  trx: Trx,
  { sale, reason }: Release,
  { RELEASED_LOOK_MS }: Pick<PaymentsSettings, 'RELEASED_LOOK_MS'>,
): Promise<Sale | undefined> {
  const released = await markReleased(trx, sale, { reason, lookMs: RELEASED_LOOK_MS })
  // Also when the owner refused: two holds of one sale may have been under way, and the other one granted.
  if (released) await publish(trx, saleReleased(released))
  return released
}
