import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import type { z } from 'zod'

const hourMs = 3_600_000

const auctionSettings = serviceSettings.extend({
  CLOSE_EVERY_MS: durationMs.default(250),
  // From then on a closer waits for the row instead of skipping it while bids hold it.
  CLOSE_OVERDUE_MS: durationMs.default(1000),
  // How long the winner has to pay.
  WIN_DUE_MS: durationMs.default(48 * hourMs),
})

export type AuctionSettings = z.output<typeof auctionSettings>

export function readConfig(): AuctionSettings {
  return readSettings(auctionSettings, process.env)
}
