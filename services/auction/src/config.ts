import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import type { z } from 'zod'

const hourMs = 3_600_000

const auctionSettings = serviceSettings.extend({
  // Time between two runs of each closing sweep.
  CLOSE_INTERVAL_MS: durationMs.default(250),
  // How late an auction must be before a sweep waits for its row lock instead of skipping the row.
  CLOSE_OVERDUE_DELAY_MS: durationMs.default(1000),
  // How long the winner of an auction has to pay.
  WIN_PAYMENT_WINDOW_MS: durationMs.default(48 * hourMs),
})

export type AuctionSettings = z.output<typeof auctionSettings>

export function readConfig(): AuctionSettings {
  return readSettings(auctionSettings, process.env)
}
