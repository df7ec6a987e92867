import { defaultChargeBounds } from '@marketplace/contracts/charge.ts'
import { defaultFeeBasisPoints } from '@marketplace/contracts/fee.ts'

const dayMs = 86_400_000

/** The auction service's settings at their defaults, for benches that call its use cases. */
export const auctionSettings = {
  CLOSE_OVERDUE_DELAY_MS: 1000,
  WIN_PAYMENT_WINDOW_MS: 2 * dayMs,
  FEE_BASIS_POINTS: defaultFeeBasisPoints,
  MAX_CHARGE_CENTS: defaultChargeBounds.maxCents,
  MAX_FIRST_PURCHASE_EXPOSURE_CENTS: 500_000,
  MAX_STRIKES: 3,
  STRIKE_WINDOW_MS: 90 * dayMs,
  SUSPENSION_MS: 30 * dayMs,
}
