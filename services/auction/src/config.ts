import { defaultChargeBounds } from '@marketplace/contracts/charge.ts'
import { defaultFeeBasisPoints, maxFeeBasisPoints } from '@marketplace/contracts/fee.ts'
import { picturesOrigin } from '@marketplace/contracts/pictures.ts'
import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { z } from 'zod'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const auctionSettings = serviceSettings.extend({
  // Origin in the URLs of uploaded pictures. Without this setting, the URLs are relative to the site's own origin.
  PICTURES_ORIGIN: picturesOrigin,
  // Interval of the sweeps `close-due` and `close-overdue`.
  CLOSE_INTERVAL_MS: durationMs.default(250),
  // Closing sweeps skip an auction whose row is locked. If the auction has not been closed this long after its end, a
  // sweep waits for the lock.
  CLOSE_OVERDUE_DELAY_MS: durationMs.default(1000),
  // How long the winner of an auction has to pay.
  WIN_PAYMENT_WINDOW_MS: durationMs.default(48 * hourMs),
  // Rate of the marketplace fee, in basis points, at most 1,474. Must equal FEE_BASIS_POINTS of the payments service.
  FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(maxFeeBasisPoints).default(defaultFeeBasisPoints),
  // Highest amount that a card can be charged, in cents. Bids with a higher total are rejected. Must equal
  // MAX_CHARGE_CENTS of the payments service.
  MAX_CHARGE_CENTS: z.coerce.number().int().min(1).default(defaultChargeBounds.maxCents),
  // Limit for a person without a completed purchase: the maximum sum of the person's leading bids and unpaid wins, in
  // cents, with shipping and fee. 0 disables the limit.
  MAX_FIRST_PURCHASE_EXPOSURE_CENTS: z.coerce.number().int().min(0).default(500_000),
  // Number of unpaid wins within STRIKE_WINDOW_MS that suspends a person from bidding for SUSPENSION_MS.
  MAX_STRIKES: z.coerce.number().int().min(1).default(3),
  // How long an unpaid win counts as a strike.
  STRIKE_WINDOW_MS: durationMs.default(90 * dayMs),
  // How long a person is suspended from bidding after MAX_STRIKES unpaid wins.
  SUSPENSION_MS: durationMs.default(30 * dayMs),
})

export type AuctionSettings = z.output<typeof auctionSettings>

export function readConfig(): AuctionSettings {
  return readSettings(auctionSettings, process.env)
}
