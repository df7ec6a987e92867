import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

export const catalogSettings = serviceSettings.extend({
  AUCTION_INTERNAL_URL: z.url(),
  // Deadlines of the internal calls.
  OPEN_AUCTION_MS: durationMs.default(2000),
  READ_AUCTIONS_MS: durationMs.default(250),
  READ_PROFILES_MS: durationMs.default(250),
  // How long a seller's name is used again.
  KEEP_PROFILES_MS: durationMs.default(60_000),
})

export type CatalogSettings = z.output<typeof catalogSettings>

export function readConfig(): CatalogSettings {
  return readSettings(catalogSettings, process.env)
}
