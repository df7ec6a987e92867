import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

const hourMs = 3_600_000

export const catalogSettings = serviceSettings.extend({
  AUCTION_INTERNAL_URL: z.url(),
  // Deadlines of the internal calls.
  OPEN_AUCTION_MS: durationMs.default(2000),
  READ_AUCTIONS_MS: durationMs.default(250),
  READ_PROFILES_MS: durationMs.default(250),
  // How long a seller's name is used again.
  KEEP_PROFILES_MS: durationMs.default(60_000),
  // How long an offer waits for its answer, and an accepted one for its payment.
  OFFER_TTL_MS: durationMs.default(48 * hourMs),
  OFFER_DUE_MS: durationMs.default(48 * hourMs),
  SWEEP_OFFERS_MS: durationMs.default(60_000),
  // How long views are gathered, and after which time the same viewer counts again.
  FLUSH_VIEWS_MS: durationMs.default(1000),
  REPEAT_VIEW_MS: durationMs.default(hourMs / 2),
  SWEEP_VIEWS_MS: durationMs.default(60_000),
})

export type CatalogSettings = z.output<typeof catalogSettings>

export function readConfig(): CatalogSettings {
  return readSettings(catalogSettings, process.env)
}
